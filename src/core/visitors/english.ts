/** The visitor of pages that are in English. Apart from the others, because browsers load it. */
import { en } from "./languages/en.ts";
import type { Visitor } from "./languages/visitor-texts.ts";

export const ENGLISH: Visitor = { language: "en", direction: "ltr", texts: en };
