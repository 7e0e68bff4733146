/**
 * Recognizes reports of control flow in any format: redirects, "not found" and other signals that
 * frameworks throw, and that SDKs and loggers report like errors. A signal is recognized by its
 * digest, by its whole message, or by the object that an SDK describes. A message that only
 * mentions a signal is an error of the application.
 */
import { asNumber, asRecord, asText, type JsonFields } from "../decode/as-type.ts";
import { parseJsonText } from "../decode/parse-json.ts";
import { toBareMessage } from "../report/bare-message.ts";
import type { ParsedReport, ReportKind } from "../report.ts";
import { findControlFlowName, isControlFlowDigest } from "./control-flow.ts";

/** Longer messages are no signals. */
const MAX_SIGNAL_CHARS = 4_000;

const THROWN_KINDS: ReadonlySet<ReportKind> = new Set(["error", "recovered", "message"]);

/** True for an error or a log message that is only a signal. Linear time. Never throws. */
export function isControlFlowReport(report: ParsedReport): boolean {
  if (!THROWN_KINDS.has(report.kind)) return false;
  if (report.hasControlFlowDigest === true) return true;
  // The text of a log beside its error may say what failed.
  const logged = asText(asRecord(report.detail)?.logged);
  const isSignal = isSignalText(report.message) && (logged === undefined || isSignalText(logged));
  return isSignal || isThrownObject(report);
}

function isSignalText(text: string): boolean {
  if (text.length > MAX_SIGNAL_CHARS) return false;
  const bare = toBareMessage(text);
  const line = cutInspection(bare);
  return isSentence(bare) || (line !== undefined && (isWholeDigest(line) || isSentence(line)));
}

/**
 * The message of an error that `console.log` of Node.js printed with its stack and properties:
 * `NEXT_REDIRECT` of `[Error: NEXT_REDIRECT] {\n  digest: …\n}`. Undefined for other text of
 * several lines.
 */
function cutInspection(text: string): string | undefined {
  const end = text.indexOf("\n");
  const line = end === -1 ? text : text.slice(0, end).trimEnd();
  if (end !== -1 && !/^\s{0,20}(?:at |digest: )/.test(text.slice(end + 1))) return undefined;
  if (!line.startsWith("[")) return line;
  const close = line.indexOf("] {");
  return toBareMessage(line.slice(1, close === -1 ? line.length - 1 : close));
}

/** The part of a digest after the name: `;404`, `:REDIRECT:{"status":302}`. */
const DIGEST_TAIL = /^(?:[;@]\S*|[:;][A-Z_:]{0,60}\{.*\})?$/s;

function isWholeDigest(text: string): boolean {
  const name = findControlFlowName(text);
  return (
    name !== undefined && isControlFlowDigest(text) && DIGEST_TAIL.test(text.slice(name.length))
  );
}

/** Sentences of frameworks, each with its source. */
const SENTENCES: readonly RegExp[] = [
  // Next.js, errors that `unstable_rethrow` passes on: shared/lib/lazy-dynamic/bailout-to-csr.ts,
  // client/components/hooks-server-context.ts, server/dynamic-rendering-utils.ts,
  // server/app-render/dynamic-rendering.ts. An error of `dynamic = "error"` is a failure.
  /^Bail out to client-side rendering: \S[^\n]{0,200}$/,
  /^Dynamic server usage: (?:Route|Page) [^\n]{0,300}couldn't be rendered statically because /,
  /^Dynamic server usage: (?:force-dynamic|(?:no-store|revalidate: 0) fetch \S[^\n]{0,500}|(?:headers|cookies|draftMode|connection|noStore|searchParams|nextUrl|request)[\w.()]{0,60})$/,
  /^During prerendering, [^\n]{1,200} rejects when the prerender is complete\. /,
  /^(?:Route \S{1,300}|This page) needs to bail out of prerendering at this point because it used /,
  // Next.js, a navigation that another replaced: shared/lib/router/router.ts.
  /^Abort fetching component for route: "[^"\n]{0,500}"$/,
  /^(?:Loading initial props cancelled|Cancel rendering route)$/,
  // React 19, scripts/error-codes/codes.json, 460 and 542: `use` inside of try and catch.
  /^Suspense Exception: This is not a real error! /,
  /^Minified React error #(?:460|542);/,
  // Vue Router, util/errors.js: a navigation guard decided, or the visitor navigated again.
  /^Redirected when going from "[^"\n]{0,500}" to "[\s\S]{1,1000}" via a navigation guard\.$/,
  /^Navigation aborted from "[^"\n]{0,500}" to "[^"\n]{0,500}" via a navigation guard\.$/,
  /^Navigation cancelled from "[^"\n]{0,500}" to "[^"\n]{0,500}" with a new navigation\.$/,
  /^Avoided redundant navigation to current location: "[^"\n]{0,500}"\.$/,
  // Ember, router_js/transition-aborted-error.
  /^TransitionAborted$/,
];

function isSentence(text: string): boolean {
  return SENTENCES.some((sentence) => sentence.test(text));
}

/**
 * How Sentry's SDKs describe a thrown object, by its class and the names of its members. Source:
 * @sentry/core utils/eventbuilder; @sentry/browser eventbuilder; before version 8 "Non-Error".
 */
const CAPTURED_OBJECT =
  /^(?:'(\w{1,60})'|Object|Non-Error(?: exception| promise rejection)?) captured (?:as (?:exception|promise rejection) )?with keys: ([^\n]{0,500})$/;

/** Classes of thrown objects that need no members: Qwik, request-handler/redirect-handler.ts. */
const EMPTY_SIGNALS: ReadonlySet<string> = new Set(["RedirectMessage", "AbortMessage"]);

/** True if the report describes a thrown object that redirects or answers with a 4xx. */
function isThrownObject({ message, type, detail }: ParsedReport): boolean {
  if (message.length > MAX_SIGNAL_CHARS) return false;
  // Errata's reporter describes a thrown object as JSON.
  if (type === "Object" && message.startsWith("{"))
    return isSignalObject(asRecord(parseJsonText(message)));
  const [captured, name = "", keys] = CAPTURED_OBJECT.exec(message) ?? [];
  if (captured === undefined) return false;
  const members = asRecord(asRecord(asRecord(detail)?.extra)?.__serialized__);
  if (EMPTY_SIGNALS.has(name)) return keys === "[object has no keys]";
  if (name === "Redirect" && members === undefined) return keys === "location, status";
  return isSignalObject(members, name);
}

function isSignalObject(members: JsonFields | undefined, name?: string): boolean {
  if (members === undefined) return false;
  // TanStack Router, router-core/src/not-found.ts, and redirect.ts before it threw a response.
  if (members.isNotFound === true || members.isRedirect === true) return true;
  // SvelteKit, exports/internal: `redirect(303, "/login")` and `error(404, …)`.
  const status = asNumber(members.status) ?? 0;
  const keys = Object.keys(members).sort().join();
  if (keys === "location,status" && typeof members.location === "string")
    return status >= 300 && status <= 308;
  return name === "HttpError" && keys === "body,status" && status >= 400 && status <= 499;
}
