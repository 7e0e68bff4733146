/**
 * The failures that `/self-test` makes on purpose, one for each way in which a render or a page can fail. The stage that
 * makes them is `self-test-stage.tsx`; a test walks through this list, so a kind without a stage fails.
 */

/** One failure: `what` says what will happen, and where its digest will be. */
export interface SelfTestKind {
  readonly kind: string;
  readonly title: string;
  readonly description: string;
  readonly side: "server" | "browser";
}

/** Every kind, in the order of their buttons: the server's first. */
export const SELF_TEST_KINDS = [
  {
    kind: "shell",
    title: "The shell throws",
    description:
      "Nothing can be shown: status 500, and the whole page is the notice with its digest.",
    side: "server",
  },
  {
    kind: "before-flush",
    title: "A boundary throws before the flush",
    description: "Status 200. The notice stands in the boundary’s place from the first byte on.",
    side: "server",
  },
  {
    kind: "after-flush",
    title: "A boundary throws after the flush",
    description:
      "The page is on its way with status 200 already; a moment later the notice takes the boundary’s place.",
    side: "server",
  },
  {
    kind: "late-rejection",
    title: "A promise rejects late",
    description:
      "The data that a boundary waits for never comes: its promise rejects after the flush.",
    side: "server",
  },
  {
    kind: "deadline",
    title: "The deadline passes",
    description:
      "Two boundaries wait for ever. After the deadline each of them shows a notice, and the response ends.",
    side: "server",
  },
  {
    kind: "string",
    title: "A string is thrown",
    description: "No Error, so no stack: the message and the place in the page must do.",
    side: "server",
  },
  {
    kind: "null",
    title: "null is thrown",
    description: "There is nothing to read at all, and still a digest.",
    side: "server",
  },
  {
    kind: "frozen",
    title: "A frozen object is thrown",
    description: "Nothing can be attached to it; what it says is kept.",
    side: "server",
  },
  {
    kind: "getters",
    title: "An object whose getters throw",
    description:
      "React looks at what it catches, and that fails too: what the getter throws is reported.",
    side: "server",
  },
  {
    kind: "huge-message",
    title: "An Error with a message of 1 MB",
    description: "The message is cut, and marked as cut.",
    side: "server",
  },
  {
    kind: "cyclic-cause",
    title: "An Error that is its own cause",
    description: "The chain of causes ends where it begins to repeat.",
    side: "server",
  },
  {
    kind: "fallback",
    title: "The fallback throws too",
    description:
      "A boundary fails, and so does what it would show instead: both are reported, and the shell fails.",
    side: "server",
  },
  {
    kind: "failure-page",
    title: "The failure page throws",
    description:
      "The shell fails, and then the page that says so: a constant page shows the first digest.",
    side: "server",
  },
  {
    kind: "recovered",
    title: "Only the server fails",
    description:
      "The browser renders the part that the server could not, and reports the recovery with the server’s digest.",
    side: "browser",
  },
  {
    kind: "both",
    title: "Server and browser fail",
    description: "The notice stays, with the server’s digest; the browser’s report belongs to it.",
    side: "browser",
  },
  {
    kind: "component",
    title: "A component throws in the browser",
    description: "The server was fine. The notice has no digest; the page around it stays usable.",
    side: "browser",
  },
  {
    kind: "uncaught",
    title: "An uncaught error",
    description: "Thrown outside of React, by a timer.",
    side: "browser",
  },
  {
    kind: "rejection",
    title: "An unhandled rejection",
    description: "A promise rejects, and nobody listens.",
    side: "browser",
  },
  {
    kind: "mismatch",
    title: "A hydration mismatch",
    description:
      "Server and browser render different text; React renders the part again and says so.",
    side: "browser",
  },
  {
    kind: "chunk",
    title: "A chunk fails to load",
    description: "A dynamic import leads nowhere, as after a deployment under an open page.",
    side: "browser",
  },
] as const satisfies readonly SelfTestKind[];

/** The name of one of the kinds. */
export type SelfTestKindName = (typeof SELF_TEST_KINDS)[number]["kind"];

/** The kind with this name, or undefined. */
export function findSelfTestKind(name: string): (typeof SELF_TEST_KINDS)[number] | undefined {
  return SELF_TEST_KINDS.find(({ kind }) => kind === name);
}
