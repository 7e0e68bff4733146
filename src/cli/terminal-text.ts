/**
 * Tables on a terminal. Cells may be text of strangers, with sequences that move the cursor, set the
 * title or open a link, and characters that reorder or hide others.
 */
import { showInLine } from "../core/visible-text.ts";

/** Two columns: the scripts of East Asia, and emoji. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const COMBINING = /\p{M}/u;

/** The columns that a text takes. */
export function measure(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (COMBINING.test(character)) continue;
    columns += WIDE.test(character) ? 2 : 1;
  }
  return columns;
}

/** The text in at most `columns` columns, with `…` where it was cut. */
export function cut(text: string, columns: number): string {
  if (measure(text) <= columns) return text;
  let kept = "";
  let used = 1;
  for (const character of text) {
    used += measure(character);
    if (used > columns) break;
    kept += character;
  }
  return columns < 1 ? "" : `${kept}…`;
}

/** How a table is printed. */
interface TableStyle {
  /** The width of the terminal; undefined for a pipe, which gets tabs and uncut cells. */
  readonly columns: number | undefined;
}

/** The least columns of a last cell beside the others. */
const MIN_LAST_COLUMNS = 20;

/**
 * Rows as lines. On a terminal, all columns but the last are as wide as their cells, and the last
 * one is cut. Where little is left for it, it has a line of its own. In a pipe, tabs separate the
 * cells.
 */
export function formatTable(rows: readonly (readonly string[])[], { columns }: TableStyle): string {
  const safe = rows.map((row) => row.map(showInLine));
  if (columns === undefined) return safe.map((row) => `${row.join("\t")}\n`).join("");
  const count = Math.max(...safe.map((row) => row.length), 0);
  const widths = Array.from({ length: count }, (_, at) =>
    safe.reduce((most, row) => Math.max(most, measure(row[at] ?? "")), 0),
  );
  const firstWidth = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const isNarrow = count > 1 && columns - firstWidth < MIN_LAST_COLUMNS;
  return safe
    .map((row) => {
      const first = row
        .slice(0, -1)
        .map((cell, at) => cell + " ".repeat((widths[at] ?? 0) - measure(cell)));
      const last = row.at(-1) ?? "";
      const lines = isNarrow ? [first.join("  "), `  ${last}`] : [[...first, last].join("  ")];
      return lines.map((line) => `${cut(line.trimEnd(), columns).trimEnd()}\n`).join("");
    })
    .join("");
}
