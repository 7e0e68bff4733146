import { createFileRoute, redirect } from "@tanstack/react-router";

export const Route = createFileRoute("/old")({
  loader: () => {
    throw redirect({ to: "/" });
  },
});
