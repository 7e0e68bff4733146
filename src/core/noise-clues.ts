/** What a draft says of where a fault came from: what the rules of `noise.ts` look at. */
import { limits } from "./limits.ts";
import type { Draft } from "./report.ts";

/** What the rules look at. */
export interface Clues {
  /** The script that threw or broke a policy, and what a policy blocked. A script that threw has an address with a scheme. */
  readonly places: readonly string[];
  /** An error's message without "Uncaught TypeError: "; empty for other reports. */
  readonly message: string;
  /** Behind the frame that threw stand frames of the page: what threw may have been called, or wrapped, by it. */
  readonly calledByPage: boolean;
  /** The script that threw is a file, not the document and not unknown. */
  readonly fromFile: boolean;
  readonly page: string;
  readonly userAgent: string;
  /** The page could not find a node where it had put it, and Errata's reporter saw that the page was translated. */
  readonly lostNode: boolean;
}

/** How engines say it: translation puts text nodes into new elements. */
const LOST_NODE =
  /(?:removeChild|insertBefore|replaceChild)' on 'Node'|^Node\.(?:removeChild|insertBefore|replaceChild):|^The object can ?not be found here\.?$/;

/** Files of frames that are no files: the frame that called them is the one that threw. */
const NO_FILE = /^(?:<anonymous>|anonymous|native|\[native code\]|undefined|app:\/{1,3})?$/;

/** A path that ends as a script's does, and anything that is no address of a page. */
const SCRIPT = /^(?!https?:)|\.(?:[cm]?[jt]sx?|vue|svelte)$/i;

/** The clues of a draft; of any text at most `limits.maxStringChars` characters. */
export function cluesOf({ kind, frames, blocked, message, request, tags }: Draft): Clues {
  const cut = (text = "") => text.slice(0, limits.maxStringChars);
  const thrower = cut(frames.find(({ file }) => file !== undefined && !NO_FILE.test(file))?.file);
  const words = kind === "error" ? cut(message).replace(PREFIX, "").trim() : "";
  const isTranslated = tags?.some(([name, value]) => name === "translated" && value === "true");
  return {
    places: [kind !== "error" || thrower.includes(":") ? thrower : "", cut(blocked)].filter(
      (place) => place !== "",
    ),
    calledByPage: kind === "error" && frames.some(({ file }) => /^https?:/i.test(file ?? "")),
    message: words,
    fromFile: thrower !== "" && SCRIPT.test(thrower.replace(/[?#].*$/s, "")),
    page: cut(request?.url),
    userAgent: cut(request?.userAgent),
    lostNode: isTranslated === true && LOST_NODE.test(words),
  };
}

/** What engines and SDKs put before a message. */
const PREFIX =
  /^(?:Uncaught |\(in promise\):? |Unhandled Promise Rejection: |Non-Error promise rejection captured with value: |[A-Za-z]{0,40}Error: ){1,4}/;
