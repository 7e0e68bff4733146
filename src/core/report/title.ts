/** Titles of issues for display. Grouping does not use them. */

import type { Frame, Platform, Report } from "../report.ts";
import { truncateText } from "../truncate.ts";

const MAX_TITLE_CHARS = 200;

/** The error of a title, and the number of further members of its group. */
interface TitledError extends Pick<Report, "type" | "message"> {
  readonly otherErrors?: number;
}

/**
 * `TypeError: no error boundary here`: type and message on one line, at most 200 UTF-16 code units.
 * The type alone if there is no message; the message alone if it begins with the type or there is
 * no type. A member of a group has the number of the others: `OSError: no disk (+2 more)`.
 */
export function formatTitle({ type, message, otherErrors }: TitledError): string {
  const title = joinTypeAndMessage({ type: toOneLine(type), message: toOneLine(message) });
  return withOtherErrors(truncateText(title, MAX_TITLE_CHARS), otherErrors);
}

/** Type and message in full, without the type if the message begins with it. */
export function joinTypeAndMessage({ type, message }: Pick<Report, "type" | "message">): string {
  const isTypeIncluded = type === "" || message.startsWith(`${type}:`);
  return isTypeIncluded ? message : [type, message].filter((part) => part !== "").join(": ");
}

/** `no disk (+2 more)`: a text about an error, and the number of further members of its group. */
export function withOtherErrors(text: string, otherErrors: number | undefined): string {
  return otherErrors === undefined ? text : `${text} (+${otherErrors} more)`;
}

/**
 * `priceOf · cart.tsx`: function and file of the newest frame of the application; for the JVM and
 * .NET, and without a file, its class or module: `total · com.acme.billing.Bill`. Minified names
 * and hashes in file names are omitted; undefined if nothing is left.
 */
export function findCulprit(frames: readonly Frame[], platform?: Platform): string | undefined {
  const frame = frames.find((candidate) => candidate.inApp);
  if (frame === undefined) return undefined;
  const file = cleanFileName(frame.file);
  const place = CLASS_PLATFORMS.has(platform) ? (frame.module ?? file) : (file ?? frame.module);
  const culprit = [cleanFunctionName(frame.function), place ?? cleanFileName(frame.package)]
    .filter((part) => part !== undefined)
    .join(" · ");
  return culprit === "" ? undefined : truncateText(culprit, MAX_TITLE_CHARS);
}

/** Runtimes whose modules are classes, and whose file names alone are ambiguous. */
const CLASS_PLATFORMS: ReadonlySet<Platform | undefined> = new Set<Platform>(["java", "dotnet"]);

/**
 * Messages of JavaScript engines that name neither an address nor a property. For the same error,
 * the messages of other engines name one, so they make better titles.
 */
const VAGUE_MESSAGES: readonly RegExp[] = [
  /^Importing a module script failed\.?$/,
  /^(?:Load failed|fetch failed|Failed to fetch)$/,
  /^NetworkError when attempting to fetch resource\.?$/,
  /^The object can ?not be found here\.?$/,
  /^The string did not match the expected pattern\.?$/,
  /^The operation is insecure\.?$/,
  /^Right side of assignment cannot be destructured\.?$/,
  /^(?:undefined|null) is not an object$/,
  /^undefined is not a function(?: \(near .{0,500}\))?$/s,
];

/** True if an engine's message does not name what failed. */
export function isVagueMessage(message: string): boolean {
  return VAGUE_MESSAGES.some((pattern) => pattern.test(message));
}

/**
 * `Cart.total` for `Object.Cart.total`; undefined for `<anonymous>` and for names of one or two
 * characters.
 */
function cleanFunctionName(name: string | undefined): string | undefined {
  const bareName = name?.replace(/^(?:Object|Module|exports|globalThis)\./, "");
  const last = bareName?.slice(bareName.lastIndexOf(".") + 1).replace(/^(?:new|get|set) /, "");
  return last === undefined || last.length < 3 || /^[<?]|>$/.test(last) ? undefined : bareName;
}

/**
 * `cart.tsx` for `webpack-internal:///(rsc)/./src/cart.tsx?v=1`, `cart.js` for
 * `https://cdn.example/cart-3f9a2b1c.js`.
 */
function cleanFileName(file: string | undefined): string | undefined {
  const path = file?.replace(/[?#].*$/s, "") ?? "";
  const name = path
    .slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
    .replace(/(?<=.)(?:[.-]|__)(?=[\w-]*\d)[\w-]{6,}(?:\._)?(?=\.[cm]?js$)/, "");
  return name === "" || /^[\da-f]{8,}\.\w+$/.test(name) ? undefined : name;
}

function toOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
