// Tail events: those that workerd made of real failures, and made-up ones.

import { readFileSync } from "node:fs";

const file = new URL("../fixtures/tail/workerd.json", import.meta.url);
const captured = JSON.parse(readFileSync(file, "utf8")) as {
  readonly events: Readonly<Record<string, object>>;
};

/** The event that workerd made of this failure: `throw`, `logged`, `later`. */
export function tailEvent(name: string): object {
  const event = captured.events[name];
  if (event === undefined) throw new Error(`no tail event is called ${name}`);
  return event;
}

/** The names of all of them. */
export const tailEventNames = Object.keys(captured.events);

/** An invocation that went well, and `over` of it. */
export function anInvocation(over: object = {}): object {
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
