/**
 * Grouping, version 1. FROZEN: existing issues and digests depend on it. A change of any key
 * requires a version 2 in a folder of its own; the files of this folder stay unchanged and import
 * nothing that may change.
 *
 * The key describes what failed in words that are equal for all builds, engines and users:
 *
 *     1|error|Error|coupon * has expired                           an application's message
 *     1|error|TypeError|property: total of undefined|src/cart.tsx  an engine's message, with a file
 *     1|error|TypeError|no function: map|/cart/*                   the same in a bundle: the route
 *     1|csp|by fingerprint|script-src-elem|inline                  the sender's fingerprint
 *
 * It never contains names of functions and components, positions or chunk files. The message of an
 * application needs no location: the same failing dependency on two pages is one issue.
 */
import type { ParsedReport } from "../../report.ts";
import { toNeutralMessage } from "./neutral-message.ts";
import { replaceVariableParts, replaceWordsWithDigits } from "./variable-parts.ts";

/** The members that grouping uses. `route` is the route pattern or, if unknown, the path. */
export interface Groupable
  extends Pick<ParsedReport, "kind" | "type" | "message" | "frames" | "fingerprint"> {
  readonly route?: string;
}

const MAX_MESSAGE_CHARS = 8_000;
const MAX_CANONICAL_CHARS = 300;

/**
 * The grouping key, version 1: `1|kind|…`. Two reports belong to the same issue exactly when their
 * keys are equal.
 */
export function createGroupingKeyV1(report: Groupable): string {
  const parts = (report.fingerprint ?? []).flatMap((part) =>
    isDefaultPlaceholder(part) ? createDefaultParts(report) : [part],
  );
  const isExplicit = report.fingerprint?.some((part) => !isDefaultPlaceholder(part)) === true;
  const identity = isExplicit ? ["by fingerprint", ...parts] : createDefaultParts(report);
  return ["1", report.kind, ...identity]
    .map((part) => collapseWhitespace(part).replaceAll("|", "¦"))
    .join("|");
}

function createDefaultParts(report: Groupable): readonly string[] {
  const thrown = unwrapMessage(report.type, report.message.slice(0, MAX_MESSAGE_CHARS));
  const neutral = toNeutralMessage(thrown.type, thrown.message);
  const message =
    neutral?.message ?? replaceVariableParts(thrown.message).slice(0, MAX_CANONICAL_CHARS);
  const type = neutral?.type ?? normalizeType(thrown.type);
  const needsCulprit = neutral?.needsCulprit ?? isUninformative(message);
  return needsCulprit ? [type, message, getGroupingLocation(report)] : [type, message];
}

/**
 * Removes what browsers add to the message of an uncaught error, and a stack inside the message.
 */
function unwrapMessage(type: string, message: string): { type: string; message: string } {
  const stripped = message
    .replace(/\n\s{1,20}at .{1,300}:\d+:\d+\)?(?:\n[\s\S]*)?$/, "")
    .trim()
    .replace(/^Uncaught (?:\(in promise\) ?)?/, "");
  const match = /^(?<name>(?:[A-Z]\w{0,60})?Error): (?<words>[\s\S]*)$/.exec(stripped)?.groups;
  const isWrapped = match !== undefined && ["", "Error", match.name].includes(type);
  return isWrapped
    ? { type: match.name ?? "", message: match.words ?? "" }
    : { type, message: stripped };
}

/** A minifier created a name of one or two characters. */
function normalizeType(type: string): string {
  return /^[\w$]{1,2}$/.test(type) ? "Error" : type;
}

function isUninformative(message: string): boolean {
  return /^(?:[^\p{L}]*|(?:unknown|unexpected)? ?error\.?|\[object \w+\]|undefined|null)$/iu.test(
    message,
  );
}

function isDefaultPlaceholder(part: string): boolean {
  return /^\{\{\s{0,9}default\s{0,9}\}\}$/.test(part);
}

function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

const SOURCE_FILE = /\.(?:tsx?|jsx|[cm]ts|vue|svelte|astro|mdx)(?=$|[?#:\s])/;

/**
 * The source file of the newest frame of the application if the stack names one, otherwise the
 * route.
 */
function getGroupingLocation(report: Groupable): string {
  const file = report.frames.find((frame) => frame.inApp)?.file;
  const source = file === undefined ? null : SOURCE_FILE.exec(file);
  return source === null || file === undefined
    ? normalizeRoute(report.route)
    : normalizeSourceFile(file.slice(0, source.index) + source[0]);
}

/** The last two segments. The ones before are a host, a build folder or a bundler's scheme. */
function normalizeSourceFile(file: string): string {
  const segments = file.split(/[\\/]+/).filter((segment) => segment !== "" && segment !== ".");
  return segments
    .slice(-2)
    .join("/")
    .replace(/[.-][\da-f]{8,}(?=\.\w+$)/i, "");
}

/** `/cart/*` for `/cart/17`, `/cart/:id`, `/cart/[id]` and `https://shop.example/cart/17?x=1`. */
function normalizeRoute(route: string | undefined): string {
  if (route === undefined || route === "") return "";
  const path = route
    .replace(/^[A-Z]{3,7} /, "")
    .replace(/^[a-z]{2,10}:\/\/[^/]*/, "")
    .replace(/[?#].*$/s, "");
  const segments = path.split("/").filter((segment) => segment !== "");
  return `/${segments.map(normalizeSegment).join("/")}`;
}

function normalizeSegment(segment: string): string {
  const isVariable = /^[:*$[{<(]|@/.test(segment) || segment.length > 40;
  return isVariable ? "*" : replaceWordsWithDigits(segment);
}
