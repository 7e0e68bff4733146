// A Vite plugin that leaves texts out of the parsers of JavaScript, TypeScript and JSX: the names
// of HTML's entities, those of Unicode's properties, and the messages of errors. Errata reads only
// the functions of a source, and checks no regular expressions. The texts take 7 kB.

import type { Plugin } from "vite";

const ENTITIES = /var xhtml_default = \{[^{}]*\n\};/;
const MESSAGES = /var TypeScriptError = \{[\s\S]*?\n\};/;
/** `var unicodeGeneralCategoryValues = "…"`. */
const PROPERTIES =
  /(\bvar \w*(?:BinaryProperties|CategoryValues|ScriptValues|Unicode) = )"[^"\n]+"/g;
/** `this.raise(start, "The message")`. */
const RAISED = /(\braise(?:Recoverable)?\([^,()"`]+,\s*)(?:"[^"\n]*"|`[^`\n]*`)/g;

/** The plugin. The build fails if the parser has no such tables. */
export const withoutParserTexts: Plugin = {
  name: "without-parser-texts",
  transform(code, id) {
    if (/\/node_modules\/acorn\//.test(id)) {
      if (!code.includes("var unicodeGeneralCategoryValues = "))
        throw new Error("The parser of JavaScript has no such tables of texts.");
      return { code: shorten(code.replace(PROPERTIES, '$1""')), map: null };
    }
    if (!id.includes("@sveltejs/acorn-typescript")) return null;
    if (!ENTITIES.test(code) || !MESSAGES.test(code))
      throw new Error("The parser of TypeScript has no such tables of texts.");
    const short = code
      .replace(ENTITIES, (table) => `var xhtml_default = {};${toLineEnds(table)}`)
      .replace(MESSAGES, (table) => table.replace(/"[^"\n]*"|`[^`\n]*`/g, '""'));
    return { code: shorten(short), map: null };
  },
};

function shorten(code: string): string {
  return code.replace(RAISED, '$1""');
}

/** The same number of lines, so that the map stays valid. */
function toLineEnds(text: string): string {
  return "\n".repeat(text.split("\n").length - 1);
}
