// Results as text.

/** Formats a Markdown table with an empty line after it; nothing without rows. */
export function formatTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  if (rows.length === 0) return [];
  const aligned = heads.map((_, column) => (column === 0 ? "---" : "---:"));
  return [...[heads, aligned, ...rows].map((cells) => `| ${cells.join(" | ")} |`), ""];
}

/** `12,346` */
export function formatWhole(count: number): string {
  return Math.round(count).toLocaleString("en-GB");
}

/** `12.3`, `1,234` */
export function formatShort(figure: number): string {
  return Math.abs(figure) >= 100 ? formatWhole(figure) : figure.toFixed(1);
}
