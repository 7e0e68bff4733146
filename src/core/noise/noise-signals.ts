/** What a draft says of where a fault came from: what the rules of `noise.ts` look at. */
import { limits } from "../limits.ts";
import type { ParsedReport } from "../report.ts";

/** What the rules look at. */
export interface NoiseSignals {
  /** The script that threw or broke a policy, and what a policy blocked. A script that threw has an address with a scheme. */
  readonly urls: readonly string[];
  /** An error's message without "Uncaught TypeError: "; empty for other reports. */
  readonly message: string;
  /** Behind the frame that threw stand frames of the page: what threw may have been called, or wrapped, by it. */
  readonly isCalledByPage: boolean;
  /** The script that threw is a file, not the document and not unknown. */
  readonly isFromFile: boolean;
  readonly pageUrl: string;
  readonly userAgent: string;
  /** The page could not find a node where it had put it, and Errata's reporter saw that the page was translated. */
  readonly isLostNode: boolean;
}

/** How engines say it: translation puts text nodes into new elements. */
const LOST_NODE_MESSAGE =
  /(?:removeChild|insertBefore|replaceChild)' on 'Node'|^Node\.(?:removeChild|insertBefore|replaceChild):|^The object can ?not be found here\.?$/;

/** Files of frames that are no files: the frame that called them is the one that threw. */
const NO_FILE = /^(?:<anonymous>|anonymous|native|\[native code\]|undefined|app:\/{1,3})?$/;

/** A path that ends as a script's does, and anything that is no address of a page. */
const SCRIPT_URL = /^(?!https?:)|\.(?:[cm]?[jt]sx?|vue|svelte)$/i;

/** The clues of a draft; of any text at most `limits.maxStringChars` characters. */
export function extractNoiseSignals({
  kind,
  frames,
  blockedUri,
  message,
  request,
  tags,
}: ParsedReport): NoiseSignals {
  const truncate = (text = "") => text.slice(0, limits.maxStringChars);
  const throwingFile = truncate(
    frames.find(({ file }) => file !== undefined && !NO_FILE.test(file))?.file,
  );
  const bareMessage = kind === "error" ? truncate(message).replace(MESSAGE_PREFIX, "").trim() : "";
  const isTranslated = tags?.some(([name, value]) => name === "translated" && value === "true");
  return {
    urls: [
      kind !== "error" || throwingFile.includes(":") ? throwingFile : "",
      truncate(blockedUri),
    ].filter((url) => url !== ""),
    isCalledByPage: kind === "error" && frames.some(({ file }) => /^https?:/i.test(file ?? "")),
    message: bareMessage,
    isFromFile: throwingFile !== "" && SCRIPT_URL.test(throwingFile.replace(/[?#].*$/s, "")),
    pageUrl: truncate(request?.url),
    userAgent: truncate(request?.userAgent),
    isLostNode: isTranslated === true && LOST_NODE_MESSAGE.test(bareMessage),
  };
}

/** What engines and SDKs put before a message. */
const MESSAGE_PREFIX =
  /^(?:Uncaught |\(in promise\):? |Unhandled Promise Rejection: |Non-Error promise rejection captured with value: |[A-Za-z]{0,40}Error: ){1,4}/;
