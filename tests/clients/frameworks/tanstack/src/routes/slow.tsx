import { createFileRoute } from "@tanstack/react-router";
import { createServerFn } from "@tanstack/react-start";
import { getRequest } from "@tanstack/react-start/server";

/** Waits for the visitor, who leaves. */
const wait = createServerFn().handler(async () => {
  const { signal } = getRequest();
  console.log("waits");
  await new Promise((_, reject) => {
    signal.addEventListener("abort", () => {
      console.log("left");
      reject(signal.reason);
    });
  });
});

export const Route = createFileRoute("/slow")({
  loader: () => wait(),
  component: () => <h1>Slow</h1>,
});
