// The curves as Markdown tables: a column for each size.

import { formatShort, formatTable, formatWhole } from "../command/format-table.ts";
import type { Statement } from "../counting/counters.ts";
import type { Point } from "./curves.ts";

/** The tables of one or several runs. `emptyMb` is the memory of an empty process. */
export function formatTables(points: readonly Point[], emptyMb: number): string[] {
  const heads = points.map(
    ({ share, reports, issues }) =>
      `${share * 100} % new, ${formatWhole(reports)} (${formatWhole(issues)} issues)`,
  );
  const rows = (lines: readonly [string, (point: Point) => string][]) =>
    lines.map(([name, cell]) => [name, ...points.map(cell)]);
  const pageNames = points[0]?.pages.map(({ name }) => name) ?? [];
  const operations = points[0]?.operations.map(({ name }) => name) ?? [];
  return [
    ...formatTable(["an event under load", ...heads], rows(EVENT_ROWS)),
    ...formatTable(["stored", ...heads], rows([...SIZE_ROWS, createMemoryRow(emptyMb)])),
    ...formatTable(
      ["CPU ms of a page (rows read)", ...heads],
      pageNames.map((name, n) => [name, ...points.map(({ pages }) => formatPage(pages[n]))]),
    ),
    ...formatTable(["a start", ...heads], rows(START_ROWS)),
    ...formatTable(
      ["on all data: s (CPU s, longest turn, peak MB)", ...heads],
      operations.map((name, n) => [
        name,
        ...points.map((point) => {
          const cost = point.operations[n];
          if (cost === undefined) return "";
          const seconds = [cost.ms, cost.cpuMs].map((ms) => formatShort(ms / 1000));
          const figures = [
            seconds[1],
            `${formatWhole(cost.longestTurnMs)} ms`,
            formatWhole(cost.peakRssMb),
          ];
          return `${seconds[0]} (${figures.join(", ")}) ${cost.result}`;
        }),
      ]),
    ),
    ...listLargest(points),
  ];
}

const EVENT_ROWS: readonly [string, (point: Point) => string][] = [
  ["CPU ms", ({ event }) => event.cpuMs.toFixed(2)],
  ["events/s", ({ event }) => formatWhole(event.perSecond)],
  ["acknowledged p50 ms", ({ event }) => formatShort(event.p50Ms)],
  ["acknowledged p99 ms", ({ event }) => formatShort(event.p99Ms)],
  ["not acknowledged", ({ event }) => formatWhole(event.failed)],
  ["rows read", ({ used }) => formatShort(used.rowsRead)],
  ["rows written", ({ used }) => used.rowsWritten.toFixed(2)],
  ["requests to objects", ({ used }) => used.objectRequests.toFixed(2)],
  ["KV writes", ({ used }) => used.writes.toFixed(3)],
];

const SIZE_ROWS: readonly [string, (point: Point) => string][] = [
  ["index, kB an issue", ({ sizes, issues }) => formatShort(sizes.index / issues / 1e3)],
  ["log, bytes a report", ({ sizes, reports }) => formatWhole(sizes.log / reports)],
  ["KV chunks, bytes a report", ({ sizes, reports }) => formatWhole(sizes.kvChunks / reports)],
  ["KV snapshots and others, MB", ({ sizes }) => formatShort(sizes.kvOthers / 1e6)],
  ["CPU without requests, ms/s", ({ idle }) => formatShort(idle * 1000)],
];

function createMemoryRow(emptyMb: number): [string, (point: Point) => string] {
  const name = `workerd at most during the load, MB (empty: ${formatWhole(emptyMb)})`;
  return [name, ({ rssMb }) => formatWhole(rssMb)];
}

const START_ROWS: readonly [string, (point: Point) => string][] = [
  ["first answer, ms", ({ start }) => (start ? formatWhole(start.firstAnswerMs) : "")],
  ["… its CPU, ms", ({ start }) => (start ? formatWhole(start.firstAnswerCpuMs) : "")],
  ["longest turn after it, CPU ms", ({ start }) => (start ? formatWhole(start.longestTurnMs) : "")],
  [
    "sweep of what expired, s",
    ({ sweep }) =>
      sweep ? `${formatShort(sweep.watchedMs / 1000)}, ${formatWhole(sweep.issues)} left` : "",
  ],
  ["… its longest turn, CPU ms", ({ sweep }) => (sweep ? formatWhole(sweep.longestTurnMs) : "")],
];

/** The statements that read the most, at the largest size. */
function listLargest(points: readonly Point[]): string[] {
  const pages = points.at(-1)?.pages.filter(({ largest }) => largest !== "") ?? [];
  return formatTable(
    ["page", "its statement with the most rows read"],
    pages.map(({ name, largest }) => [name, `\`${largest.replaceAll("|", "\\|")}\``]),
  );
}

function formatPage(cost: Point["pages"][number] | undefined): string {
  if (cost === undefined) return "";
  const { cpuMs, rowsRead, status } = cost;
  return `${formatShort(cpuMs)} (${formatWhole(rowsRead)})${status >= 500 ? ` status ${status}` : ""}`;
}

/** The statements that wrote the most rows, as shares of all. */
export function describeMostWritten(label: string, statements: readonly Statement[]): string {
  const all = statements.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0);
  const most = statements.toSorted((a, b) => b.rowsWritten - a.rowsWritten);
  const lines = most.slice(0, 8).map(({ sql, rowsWritten }) => {
    const share = `${Math.round((100 * rowsWritten) / all)} %`.padStart(6);
    return `${share}  ${sql.replace(/\s+/g, " ").trim().slice(0, 100)}`;
  });
  return [`${label}: rows written by`, ...lines].join("\n");
}
