import { onCaughtError, onRecoverableError, onUncaughtError, startErrata } from "errata/browser";
import { hydrateRoot } from "react-dom/client";
import { Page } from "./page.jsx";

startErrata({ to: ERRATA_MONITORING });

const name = location.pathname.split("/").at(-1);
hydrateRoot(document, <Page name={name} />, {
  onCaughtError,
  onRecoverableError,
  onUncaughtError,
});
