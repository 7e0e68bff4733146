/**
 * Markdown around text that somebody else wrote. Reported text stands in code alone, a span or a block: nothing in it becomes a
 * heading, a link, an image, HTML or a mention, and it cannot end the code that it stands in (CommonMark 0.31 § 4.5, § 6.1).
 */

/** What would reorder the text around it, and control characters that no text needs. */
const INVISIBLE_CHARS = /[\u202a-\u202e\u2066-\u2069]|(?![\t\n])\p{Cc}/gu;
const LINE_ENDS = /\r\n?/g;

/** `text` in one line as a code span; `(nothing)` for one in which nothing can be seen. */
export function toCodeSpan(text: string): string {
  const line = text.replace(/\s+/g, " ").replace(INVISIBLE_CHARS, "").trim();
  if (line === "") return "(nothing)";
  const ticks = createFence(line, 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** `text` line by line as a code block, which ends with a line end. */
export function toCodeBlock(text: string): string {
  const lines = text.replace(LINE_ENDS, "\n").replace(INVISIBLE_CHARS, "").replace(/\n+$/, "");
  const fence = createFence(lines, 3);
  return `${fence}\n${lines}\n${fence}\n`;
}

/** More backticks than stand together anywhere in `text`, at least `min`. */
function createFence(text: string, min: number): string {
  const runs = text.match(/`+/g) ?? [];
  return "`".repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), min));
}
