import { createFileRoute } from "@tanstack/react-router";
import { ClosedError } from "../closed-error";

/** The loader fails on purpose, with a message for the visitor. */
export const Route = createFileRoute("/closed")({
  loader: () => {
    throw new ClosedError("The kitchen is closed on Mondays.");
  },
  errorComponent: ({ error }) => <p>{(error as Error).message}</p>,
  component: () => <h1>Open</h1>,
});
