/** Translation services and their addresses. Used by `classify-noise.ts`. */
import { parseHost } from "../url-host.ts";

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
