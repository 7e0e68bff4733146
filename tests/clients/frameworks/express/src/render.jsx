import { describeRequest } from "errata/express";
import { createServerOptions } from "errata/react/server";
import { renderToPipeableStream } from "react-dom/server";
import { Page } from "./page.jsx";

/** Responds with a page that React streams. */
export function renderPage(req, res, next) {
  const name = req.params.page;
  // "hanging" never gets its stock: the visitor leaves first.
  const waitMs = name === "hanging" ? 60_000 : 20;
  const stock = new Promise((resolve) => setTimeout(resolve, waitMs).unref());
  const { pipe } = renderToPipeableStream(<Page name={name} stock={stock} />, {
    ...createServerOptions(describeRequest(req)),
    bootstrapModules: ["/assets/client.js"],
    onShellReady() {
      res.type("html");
      pipe(res);
    },
    onShellError: next,
  });
}
