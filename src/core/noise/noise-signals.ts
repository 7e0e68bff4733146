/** Extracts from a report the facts that the rules of `classify-noise.ts` use. */
import { limits } from "../limits.ts";
import { toBareMessage } from "../report/bare-message.ts";
import type { ParsedReport } from "../report.ts";

/** The facts that the rules use. */
export interface NoiseSignals {
  /**
   * The script that threw or violated a policy, and the blocked resource. The script of an error is
   * included only if its URL has a scheme.
   */
  readonly urls: readonly string[];
  /** The script that threw or violated a policy, as in `urls`; empty if unknown. */
  readonly scriptUrl: string;
  /** The report is about a content security policy. */
  readonly isViolation: boolean;
  /** An error's message without "Uncaught TypeError: "; empty for other kinds. */
  readonly message: string;
  /**
   * Frames of the page follow the frame that threw. The page may have called the throwing code, or
   * this code may wrap a function of the page.
   */
  readonly isCalledByPage: boolean;
  /** The script that threw is a file, neither the document nor unknown. */
  readonly isFromFile: boolean;
  readonly pageUrl: string;
  readonly userAgent: string;
  /**
   * The page did not find a node where it had inserted it, or React found another markup than the
   * server's, and Errata's reporter saw that the page was translated.
   */
  readonly isLostNode: boolean;
}

/** Engines' messages for a moved node. Translation moves text nodes into new elements. */
const LOST_NODE_MESSAGE =
  /(?:removeChild|insertBefore|replaceChild)' on 'Node'|^Node\.(?:removeChild|insertBefore|replaceChild):|^The object can ?not be found here\.?$/;

/**
 * Locations of frames that are not files. The frame that called such a frame counts as the one that
 * threw.
 */
const NO_FILE =
  /^(?:<anonymous>|anonymous|native|\[native code\]|self-hosted|undefined|app:\/{1,3})?$/;

/** Names of scripts that are no files: a scheme, or what Firefox calls a content script. */
const SCRIPT_NAME = /:|^[a-z-]{1,40}-extension$|^sandbox eval code$/i;

/** A path with the extension of a script, or a URL that is not a web address. */
const SCRIPT_URL = /^(?!https?:)|\.(?:[cm]?[jt]sx?|vue|svelte)$/i;

function truncate(text = ""): string {
  return text.slice(0, limits.maxStringChars);
}

/** The signals of a report. Each text is limited to `limits.maxStringChars` characters. */
export function extractNoiseSignals({
  kind,
  frames,
  blockedUri,
  message,
  request,
  tags,
  aliases,
}: ParsedReport): NoiseSignals {
  const throwingFile = truncate(
    frames.find(({ file }) => file !== undefined && !NO_FILE.test(file))?.file,
  );
  const isThrown = kind === "error" || kind === "recovered";
  const bareMessage = isThrown ? toBareMessage(truncate(message)) : "";
  // If the server failed, its digest is among the aliases.
  const isMismatch = kind === "recovered" && aliases === undefined;
  const isTranslated = tags?.some(([name, value]) => name === "translated" && value === "true");
  const scriptUrl = !isThrown || SCRIPT_NAME.test(throwingFile) ? throwingFile : "";
  return {
    urls: [scriptUrl, truncate(blockedUri)].filter((url) => url !== ""),
    scriptUrl,
    isViolation: kind === "csp",
    isCalledByPage: isThrown && frames.some(({ file }) => /^https?:/i.test(file ?? "")),
    message: bareMessage,
    isFromFile: throwingFile !== "" && SCRIPT_URL.test(throwingFile.replace(/[?#].*$/s, "")),
    pageUrl: truncate(request?.url),
    userAgent: truncate(request?.userAgent),
    isLostNode: isTranslated === true && (isMismatch || LOST_NODE_MESSAGE.test(bareMessage)),
  };
}
