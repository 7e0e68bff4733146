/**
 * What the platform hands to `tail()`: one event for each invocation of another Worker, with what it threw, what it logged
 * and how it ended. Uncaught exceptions, logged errors and failed outcomes become drafts; the rest is counted.
 *
 *     {"outcome":"exception","exceptions":[{"name":"TypeError","message":"…","stack":"    at …","timestamp":1795287107729}],
 *      "logs":[{"level":"error","message":["Checkout failed:","TypeError: …"],"errorInfo":[null,{…}],…}],"event":{…},…}
 *
 * One fault counts once an invocation, however often it was logged before it was thrown. What Errata itself logged of a
 * failure is a report already, and is recognised by its report id. The members are the platform's getters, no JSON.
 * Source: @cloudflare/workers-types 5, TraceItem; tests/fixtures/tail, captured in workerd.
 */
import type { Parsed } from "../core/outcome.ts";
import { hasProperties, readProperty, readString } from "../core/read-property.ts";
import type { Draft } from "../core/report.ts";
import { arrayOf } from "./decode.ts";
import { counted, createDrafting, invalid, itemName } from "./parsed.ts";
import { faultDraft, type TailFault } from "./tail-fault.ts";
import {
  errorIn,
  firstLine,
  isErrorLog,
  loggedErrors,
  logText,
  ownReport,
  titleOf,
} from "./tail-log.ts";

/** Every end, event by event: that of the invocation itself, then those of its exceptions and of its logs, in their order. */
export function parseTail(events: readonly unknown[]): readonly Parsed[] {
  const draft = createDrafting();
  return events.flatMap((event) =>
    hasProperties(event)
      ? parseInvocation(event, draft)
      : [invalid("invocation", "not-an-object", "tail event: an object")],
  );
}

/** One event, while it is read. */
interface Invocation {
  readonly event: object;
  readonly outcome: string;
  readonly logs: readonly unknown[];
  /** True for a fault that is not a report yet; from then on it is. Faults are told apart by their title. */
  readonly isNew: (title: string) => boolean;
  readonly draft: ReturnType<typeof createDrafting>;
}

function parseInvocation(event: object, draft: Invocation["draft"]): readonly Parsed[] {
  const logs = listAt(event, "logs");
  const told = new Set(logs.map(ownReport));
  const isNew = (title: string): boolean => told.size < told.add(title).size;
  const outcome = readString(event, "outcome") ?? "ok";
  const invocation: Invocation = { event, outcome, logs, isNew, draft };
  const thrown = listAt(event, "exceptions").map((exception) =>
    parseException(exception, invocation),
  );
  const logged = logs.map((log, index) => parseLog(log, index, invocation));
  return [parseOutcome(invocation, thrown.length > 0), ...thrown, ...logged];
}

function parseOutcome(invocation: Invocation, hasThrown: boolean): Parsed {
  const { outcome, isNew, draft } = invocation;
  if (outcome === "ok" || (outcome === "exception" && hasThrown)) return counted("invocation");
  if (VISITOR_LEFT.has(outcome)) return counted(outcome);
  if (!isNew(outcome)) return counted("invocation");
  return draft(itemName(outcome), () => outcomeDraft(invocation));
}

function parseException(exception: unknown, invocation: Invocation): Parsed {
  const { event, outcome, logs, isNew, draft } = invocation;
  const error = errorIn(exception);
  if (error === undefined) {
    return invalid("exception", "missing-field", "tail exception: a name or a message");
  }
  const isLimit = outcome.startsWith("exceeded") && LIMIT_MESSAGE.test(error.message);
  if (!isNew(isLimit ? outcome : titleOf(error))) return counted("exception");
  const at = readProperty(exception, "timestamp");
  return draft("exception", () =>
    isLimit
      ? outcomeDraft(invocation)
      : faultDraft(event, { ...error, kind: "error", at, logs, uncaught: true }),
  );
}

function parseLog(log: unknown, index: number, { event, logs, isNew, draft }: Invocation): Parsed {
  if (ownReport(log) !== undefined) return counted("own");
  const logged = isErrorLog(log) ? logText(log) : "";
  if (logged === "") return counted("log");
  const [error, ...causes] = loggedErrors(log);
  const message = { type: "Message", message: logged };
  if (!isNew(error === undefined ? firstLine(logged) : titleOf(error))) return counted("log");
  const fault: Omit<TailFault, "logs"> = {
    ...(error === undefined ? { ...message, kind: "message" } : { ...error, kind: "error" }),
    causes,
    logged,
    at: readProperty(log, "timestamp"),
    uncaught: false,
  };
  return draft("log", () => faultDraft(event, { ...fault, logs: logs.slice(0, index) }));
}

/** Ends that are nobody's fault. */
const VISITOR_LEFT: ReadonlySet<string> = new Set(["canceled", "responseStreamDisconnected"]);

/** What the platform throws into a Worker that it ends: the same fault as the outcome. */
const LIMIT_MESSAGE = /^Worker exceeded [a-z ]{1,40}limit\b/i;

/** What an outcome says that no exception explains. */
const SENTENCES: ReadonlyMap<string, string> = new Map([
  ["exception", "the Worker threw an exception, and the event does not say which"],
  ["exceededCpu", "the Worker exceeded its CPU time limit"],
  ["exceededMemory", "the Worker exceeded its memory limit"],
  ["loadShed", "the platform was overloaded and did not run the Worker"],
  ["scriptNotFound", "the platform found no script to run"],
]);

/** One issue for each kind of end of each entry point, whatever the sentence says. */
function outcomeDraft({ event, outcome, logs }: Invocation): Draft {
  const script = readString(event, "scriptName") ?? "";
  return faultDraft(event, {
    kind: "error",
    type: outcome,
    message: SENTENCES.get(outcome) ?? "the platform ended the Worker, and does not say why",
    at: readProperty(event, "eventTimestamp"),
    logs,
    uncaught: true,
    fingerprint: ["worker-outcome", outcome, script, readString(event, "entrypoint") ?? ""],
  });
}

function listAt(event: object, name: string): readonly unknown[] {
  return arrayOf(readProperty(event, name)) ?? [];
}
