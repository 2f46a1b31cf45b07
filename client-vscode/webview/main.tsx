// The chat view's page.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App } from "./app";
import "./chat.css";
import { Store } from "./store";

const root = document.getElementById("root");
if (!root) throw new Error("the page has no root");
const store = new Store();
store.host.listen(store);
createRoot(root).render(
  <StrictMode>
    <App store={store} />
  </StrictMode>,
);
