/**
 * Messages of React's production builds, which have a code and arguments instead of a text:
 *
 *     Minified React error #418; visit https://react.dev/errors/418?args[]=text&args[]= for the …
 *
 * The texts are a file of the build (`.tools/build/react-texts.ts`), because the table is large.
 * Errata shows them beside the message: stored titles and digests do not depend on them. Pure.
 */
import { limits } from "../limits.ts";
import type { Report } from "../report.ts";

/** The path of the file with the texts. */
export const REACT_TEXTS_PATH = "/error-texts/react.json";

/** The texts of a version of React by code. `%s` stands for an argument. */
export interface ReactTexts {
  /** `19.3.1` */
  readonly version: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** The text of a message, as the version of React has it. */
export interface DecodedError {
  /** `418` */
  readonly code: string;
  readonly text: string;
  readonly version: string;
}

const MESSAGE = /\bMinified React error #(\d{1,4})(?:; visit (\S+))?/;
/** Browsers and SDKs may encode the brackets. */
const ARGUMENT = /^args(?:\[\]|%5B%5D)=/i;
/** Of an argument that the message has not, because it is cut. */
const MISSING = "…";

/** The text with the arguments of the message; undefined if the table does not have the code. */
export function decodeReactError(
  message: string,
  { version, texts }: ReactTexts,
): DecodedError | undefined {
  const [, code = "", url = ""] = MESSAGE.exec(message) ?? [];
  if (!Object.hasOwn(texts, code)) return undefined;
  const args = listArguments(url).values();
  const text = texts[code]?.replaceAll("%s", () => args.next().value ?? MISSING) ?? "";
  return { code, text: text.slice(0, limits.maxMessageChars), version };
}

function listArguments(url: string): readonly string[] {
  const query = url.slice(url.indexOf("?") + 1);
  const parts = query.split("&").filter((part) => ARGUMENT.test(part));
  return parts.map((part) => decode(part.replace(ARGUMENT, "")));
}

/** A cut argument may end within an escape. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The messages of a report and its causes with a code. */
type Messages = Pick<Report, "message" | "causes">;

/** True if the texts are needed to decode a report. */
export function needsReactTexts(report: Messages): boolean {
  return listMessages(report).some((message) => MESSAGE.test(message));
}

/** The decoded errors of a report and its causes, each once. */
export function listReactErrors(report: Messages, texts: ReactTexts): readonly DecodedError[] {
  const decoded = listMessages(report).flatMap((message) => decodeReactError(message, texts) ?? []);
  return [...new Map(decoded.map((one) => [one.text, one])).values()];
}

function listMessages({ message, causes = [] }: Messages): readonly string[] {
  return [message, ...causes.map((cause) => cause.message)];
}
