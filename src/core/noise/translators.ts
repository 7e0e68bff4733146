/** Translation services and their addresses. Used by `classify-noise.ts`. */
import { parseHost } from "../url-host.ts";
import { findKnownText, type KnownText } from "./known-text.ts";
import type { NoiseSignals } from "./noise-signals.ts";

/** Translators with the hosts of translated pages and of their scripts. */
const TRANSLATORS: readonly {
  readonly name: string;
  readonly pages: RegExp;
  readonly scripts?: RegExp;
}[] = [
  {
    name: "Google Translate",
    pages: /\.translate\.goog$|^translate\.googleusercontent\.com$/,
    scripts: /^translate(?:-pa)?\.googleapis\.com$/,
  },
  {
    name: "Yandex Translate",
    pages: /^translate\.yandex\.[a-z.]{2,8}$|^translated\.turbopages\.org$/,
  },
  {
    name: "Microsoft Translator",
    pages: /(?:^|\.)(?:microsofttranslator|translatetheweb)\.com$/,
  },
  { name: "Papago", pages: /(?:^|\.)papago\.naver\.net$/ },
  { name: "Baidu Translate", pages: /^translate\.baiducontent\.com$/ },
];

/** The path of Google's page translation on its hosts. */
const GOOGLE_PATH =
  /^https?:\/\/(?:[\w-]+\.)*(?:google|gstatic)\.(?:com|cn)\/[^?#]*\/?translate_http(?:[/?#]|$)/i;

/**
 * The translator that a URL belongs to, as a translated page or as its script; undefined for any
 * other URL.
 */
export function matchTranslator(url: string, part: "pages" | "scripts"): string | undefined {
  if (part === "scripts" && GOOGLE_PATH.test(url)) return "Google Translate";
  const host = parseHost(url);
  return TRANSLATORS.find((translator) => translator[part]?.test(host))?.name;
}

/** Messages of scripts of translators. */
const TRANSLATOR_TEXTS: readonly KnownText[] = [
  {
    text: /^a\[b\]\.target\.className\.indexOf is not a function/,
    source: "Google Translate",
    from: "Sentry, ingest/inbound_filters.py",
  },
];

/** The translator that caused a message; undefined if a script file of the page threw it. */
export function matchTranslatorText({ message, isFromFile }: NoiseSignals): string | undefined {
  return isFromFile ? undefined : findKnownText(TRANSLATOR_TEXTS, message);
}
