import { createFileRoute, notFound } from "@tanstack/react-router";

export const Route = createFileRoute("/gone")({
  loader: () => {
    throw notFound();
  },
  component: () => <h1>Gone</h1>,
});
