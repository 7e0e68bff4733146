// A Vite plugin that leaves the names of HTML's entities out of the parser of JSX. Errata reads the
// functions of a source, not its text, and the table takes 1.6 kB.

import type { Plugin } from "vite";

const TABLE = /var xhtml_default = \{[^{}]*\n\};/;

/** The plugin. The build fails if the parser has no such table. */
export const withoutEntities: Plugin = {
  name: "without-entities",
  transform(code, id) {
    if (!id.includes("@sveltejs/acorn-typescript")) return null;
    if (!TABLE.test(code)) throw new Error("The parser of JSX has no table of entities.");
    // The same number of lines, so that the map stays valid.
    const lines = (table: string) => "\n".repeat(table.split("\n").length - 1);
    const short = code.replace(TABLE, (table) => `var xhtml_default = {};${lines(table)}`);
    return { code: short, map: null };
  },
};
