/** Reads Markdown with fences as CommonMark does (0.31 § 4.5), independently of the code. */

/** The lines of a text that are in a fence, with its first line, and those that are not. */
export function readFences(text: string) {
  const outside: string[] = [];
  const fences: { readonly info: string; readonly lines: string[] }[] = [];
  let open: { readonly marks: string; readonly lines: string[] } | null = null;
  for (const line of text.split(/\r\n|[\n\r]/)) {
    const [, marks, rest = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open !== null) {
      const isEnd = marks?.startsWith(open.marks) && rest.trim() === "";
      if (isEnd) open = null;
      else open.lines.push(line);
    } else if (marks !== undefined && !(marks[0] === "`" && rest.includes("`"))) {
      const fence = { info: rest.trim(), lines: [] };
      fences.push(fence);
      open = { marks, lines: fence.lines };
    } else outside.push(line);
  }
  return { outside, fences, isClosed: open === null };
}

/** Every text of structured content that is not in a quote, and the quotes. */
export function readQuotes(value: unknown): {
  readonly plain: readonly string[];
  readonly quotes: readonly { readonly writtenBy: string; readonly text: string }[];
} {
  if (typeof value === "string") return { plain: [value], quotes: [] };
  if (typeof value !== "object" || value === null) return { plain: [], quotes: [] };
  if ("writtenBy" in value && "text" in value) return { plain: [], quotes: [value as never] };
  const parts = Object.values(value).map(readQuotes);
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return {
    plain: [...names, ...parts.flatMap(({ plain }) => plain)],
    quotes: parts.flatMap(({ quotes }) => quotes),
  };
}
