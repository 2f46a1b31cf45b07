// A window that is left for another, as by a person who works elsewhere meanwhile.

/** Has another page in front of the window, without the keyboard; resolves to what brings the window back. */
export async function leave(bench) {
  const { page } = bench;
  const devtools = await page.context().newCDPSession(page);
  // else each page is told that it has the focus
  await devtools.send("Emulation.setFocusEmulationEnabled", { enabled: false });
  const elsewhere = await page.context().newPage();
  await elsewhere.bringToFront();
  await bench.waitUntil(() => page.evaluate(() => !document.hasFocus()), "the window has lost the focus");
  return async () => {
    await elsewhere.close();
    await page.bringToFront();
    await bench.waitUntil(() => page.evaluate(() => document.hasFocus()), "the window has the focus");
  };
}
