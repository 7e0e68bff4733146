/** The language that a visitor reads, of those that notices and receipts are written in. */
import { ar } from "./languages/ar.ts";
import { cs } from "./languages/cs.ts";
import { de } from "./languages/de.ts";
import { el } from "./languages/el.ts";
import { en } from "./languages/en.ts";
import { es } from "./languages/es.ts";
import { fr } from "./languages/fr.ts";
import { he } from "./languages/he.ts";
import { hi } from "./languages/hi.ts";
import { it } from "./languages/it.ts";
import { ja } from "./languages/ja.ts";
import { ko } from "./languages/ko.ts";
import { nl } from "./languages/nl.ts";
import { pl } from "./languages/pl.ts";
import { pt } from "./languages/pt.ts";
import { ru } from "./languages/ru.ts";
import { sv } from "./languages/sv.ts";
import { tr } from "./languages/tr.ts";
import { uk } from "./languages/uk.ts";
import type { Visitor, VisitorTexts } from "./languages/visitor-texts.ts";
import { zh } from "./languages/zh.ts";

/** By the code of the language (ISO 639-1). */
export const VISITOR_TEXTS = {
  en,
  de,
  fr,
  es,
  pt,
  it,
  nl,
  sv,
  pl,
  cs,
  uk,
  ru,
  tr,
  el,
  ar,
  he,
  hi,
  zh,
  ja,
  ko,
} as const satisfies Readonly<Record<string, VisitorTexts>>;

export type VisitorLanguage = keyof typeof VISITOR_TEXTS;

/** Written from right to left. */
const RIGHT_TO_LEFT: ReadonlySet<VisitorLanguage> = new Set(["ar", "he"]);
/** Earlier codes of the same language. */
const SAME: Readonly<Record<string, VisitorLanguage>> = { iw: "he" };

/** Longer headers are cut: browsers send at most a few dozen characters. */
const MAX_HEADER_CHARS = 500;

/**
 * The preferred language of an `Accept-Language` header (RFC 9110 § 12.5.4) that there is; English
 * without one. Never throws.
 */
export function findVisitor(acceptLanguage: string | null | undefined): Visitor {
  const ranges = (acceptLanguage ?? "")
    .slice(0, MAX_HEADER_CHARS)
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range.trim().toLowerCase().split(";");
      const quality = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find(Boolean);
      return {
        code: tag.split("-")[0] ?? "",
        quality: quality === undefined ? 1 : Number(quality),
      };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { code } of ranges) {
    const language = SAME[code] ?? code;
    if (isVisitorLanguage(language)) return toVisitor(language);
  }
  return toVisitor("en");
}

/** The visitor who reads a language; in English if there is no such language. */
export function getVisitor(language: string): Visitor {
  return toVisitor(isVisitorLanguage(language) ? language : "en");
}

function toVisitor(language: VisitorLanguage): Visitor {
  const direction = RIGHT_TO_LEFT.has(language) ? "rtl" : "ltr";
  return { language, direction, texts: VISITOR_TEXTS[language] };
}

function isVisitorLanguage(code: string): code is VisitorLanguage {
  return Object.hasOwn(VISITOR_TEXTS, code);
}
