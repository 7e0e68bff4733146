// Tail events: captured ones that workerd produced for real failures, and synthetic ones.

import { readFileSync } from "node:fs";

const file = new URL("../../fixtures/tail/workerd.json", import.meta.url);
const captured = JSON.parse(readFileSync(file, "utf8")) as {
  readonly events: Readonly<Record<string, object>>;
};

/** The event that workerd produced for this failure: `throw`, `logged`, `later`. */
export function readTailEvent(name: string): object {
  const event = captured.events[name];
  if (event === undefined) throw new Error(`no tail event is called ${name}`);
  return event;
}

/** The names of all captured events. */
export const tailEventNames = Object.keys(captured.events);

/** A successful invocation with the members of `over`. */
export function createInvocation(over: object = {}): object {
  return {
    event: null,
    eventTimestamp: 1_795_283_000_000,
    outcome: "ok",
    scriptName: "shop",
    exceptions: [],
    logs: [],
    truncated: false,
    ...over,
  };
}
