/**
 * Quotes reported text in Markdown. Reported text appears only in code spans and code blocks, so it
 * cannot become a heading, a link, an image, HTML or a mention, and cannot close the code around it
 * (CommonMark 0.31 § 4.5, § 6.1).
 */

/**
 * Characters that reorder the text around them, and that nobody sees: people paste the text into
 * chats with models, which read tag characters and variation selectors. Joiners and U+FE0F are parts
 * of emoji.
 */
const INVISIBLE_CHARS =
  /(?!\t|\n|\u200c|\u200d|\ufe0f)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const LINE_ENDS = /\r\n?/g;

/** `text` on one line as a code span; `(nothing)` when it has no visible character. */
export function toCodeSpan(text: string): string {
  const line = text.replace(/\s+/g, " ").replace(INVISIBLE_CHARS, "").trim();
  if (line === "") return "(nothing)";
  const ticks = createFence(line, 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** `text` as a fenced code block that ends with a newline. */
export function toCodeBlock(text: string): string {
  const lines = text.replace(LINE_ENDS, "\n").replace(INVISIBLE_CHARS, "").replace(/\n+$/, "");
  const fence = createFence(lines, 3);
  return `${fence}\n${lines}\n${fence}\n`;
}

/** More backticks than any run in `text`, at least `min`. */
function createFence(text: string, min: number): string {
  const runs = text.match(/`+/g) ?? [];
  return "`".repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), min));
}

/** A list with one item per line of text. */
export function toList(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}\n`).join("");
}
