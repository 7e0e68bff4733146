/**
 * The failures that `/self-test` triggers, one for each way in which a render or a page can fail.
 * `self-test-stage.tsx` implements them; the tests run every kind in this list.
 */

/** One kind of failure. */
export interface SelfTestKind {
  readonly kind: string;
  readonly title: string;
  readonly description: string;
  readonly side: "server" | "browser";
}

/** Every kind in the order of the buttons: server, then browser. */
export const SELF_TEST_KINDS = [
  {
    kind: "shell",
    title: "The shell throws",
    description: "Status 500. The whole page is the notice with its digest.",
    side: "server",
  },
  {
    kind: "before-flush",
    title: "A boundary throws before the flush",
    description: "Status 200. The notice replaces the boundary from the first byte.",
    side: "server",
  },
  {
    kind: "after-flush",
    title: "A boundary throws after the flush",
    description:
      "The page is already being sent with status 200; then the notice replaces the boundary.",
    side: "server",
  },
  {
    kind: "late-rejection",
    title: "A promise rejects late",
    description: "The promise that a boundary waits for rejects after the flush.",
    side: "server",
  },
  {
    kind: "deadline",
    title: "The deadline passes",
    description:
      "Two boundaries never resolve. After the deadline each shows a notice, and the response ends.",
    side: "server",
  },
  {
    kind: "string",
    title: "A string is thrown",
    description: "A string has no stack trace, so the report has only the component stack.",
    side: "server",
  },
  {
    kind: "null",
    title: "null is thrown",
    description: "null has no properties, but the failure still gets a digest.",
    side: "server",
  },
  {
    kind: "frozen",
    title: "A frozen object is thrown",
    description: "React cannot add properties to it. Its message is reported.",
    side: "server",
  },
  {
    kind: "getters",
    title: "An object with throwing getters",
    description:
      "React reads the properties of the caught object, so a getter throws again. The getter’s error is reported.",
    side: "server",
  },
  {
    kind: "huge-message",
    title: "An Error with a message of 1 MB",
    description: "The message is truncated and marked as truncated.",
    side: "server",
  },
  {
    kind: "cyclic-cause",
    title: "An Error that is its own cause",
    description: "The report lists the error only once in the chain of causes.",
    side: "server",
  },
  {
    kind: "fallback",
    title: "The fallback throws too",
    description: "A boundary and its fallback fail, and then the shell. Both errors are reported.",
    side: "server",
  },
  {
    kind: "failure-page",
    title: "The failure page throws",
    description:
      "The shell fails, and then the failure page. A static page shows the first digest.",
    side: "server",
  },
  {
    kind: "recovered",
    title: "Only the server fails",
    description:
      "The browser renders the part that failed on the server and reports the recovery with the server’s digest.",
    side: "browser",
  },
  {
    kind: "both",
    title: "Server and browser fail",
    description:
      "The notice keeps the server’s digest. The browser’s report is linked to its issue.",
    side: "browser",
  },
  {
    kind: "component",
    title: "A component throws in the browser",
    description:
      "The server succeeds. The notice has no digest, and the rest of the page still works.",
    side: "browser",
  },
  {
    kind: "uncaught",
    title: "An uncaught error",
    description: "Thrown by a timer, outside React.",
    side: "browser",
  },
  {
    kind: "rejection",
    title: "An unhandled rejection",
    description: "A promise rejects without a handler.",
    side: "browser",
  },
  {
    kind: "mismatch",
    title: "A hydration mismatch",
    description:
      "Server and browser render different text; React renders the part again and reports it.",
    side: "browser",
  },
  {
    kind: "chunk",
    title: "A chunk fails to load",
    description: "A dynamic import fails, as after a deployment while the page was open.",
    side: "browser",
  },
] as const satisfies readonly SelfTestKind[];

export type SelfTestKindName = (typeof SELF_TEST_KINDS)[number]["kind"];

/** The kind with this name, or undefined. */
export function findSelfTestKind(name: string): (typeof SELF_TEST_KINDS)[number] | undefined {
  return SELF_TEST_KINDS.find(({ kind }) => kind === name);
}
