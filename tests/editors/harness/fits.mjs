/** Runs in the chat's page: what is wider than the view, or a button that is cut or hidden, by its words. */
export function misfits() {
  const found = [];
  if (document.documentElement.scrollWidth > window.innerWidth) found.push("the page is scrolled sideways");
  const isIn = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
  const view = { left: 0, right: window.innerWidth, top: 0, bottom: window.innerHeight };
  for (const button of document.querySelectorAll(".card > .buttons button, .card > header button, .foot button, .strip")) {
    const box = button.getBoundingClientRect();
    if (!isIn(box, view)) found.push(`${button.textContent}: not in view`);
    if (box.height < 23.5) found.push(`${button.textContent}: ${box.height} px high`);
    if (button.matches(".button") && button.scrollWidth > button.clientWidth + 1) found.push(`${button.textContent}: cut`);
  }
  for (const part of document.querySelectorAll(".transcript, .card, .body, .dock")) if (part.scrollWidth > part.clientWidth + 1) found.push(`${part.className} is wider than it should be`);
  const dock = document.querySelector(".dock");
  const most = window.innerHeight < 500 ? 0.7 : 0.5;
  if (dock && dock.getBoundingClientRect().height > window.innerHeight * most + 1) found.push("the card takes more than its share");
  return found;
}
