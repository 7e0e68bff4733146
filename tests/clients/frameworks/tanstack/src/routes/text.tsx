import { createFileRoute } from "@tanstack/react-router";

/** The loader throws a text, which is sent as it is. */
export const Route = createFileRoute("/text")({
  loader: () => {
    throw "no table is free";
  },
  component: () => <h1>Text</h1>,
});
