// The curves as Markdown tables: a column for each size.

import type { Point } from "./curves.ts";

/** The tables of one or several runs. `emptyMb` is the memory of an empty process. */
export function formatTables(points: readonly Point[], emptyMb: number): string[] {
  const heads = points.map(
    ({ share, reports, issues }) =>
      `${share * 100} % new, ${whole(reports)} (${whole(issues)} issues)`,
  );
  const rows = (lines: readonly [string, (point: Point) => string][]) =>
    lines.map(([name, cell]) => [name, ...points.map(cell)]);
  const pageNames = points[0]?.pages.map(({ name }) => name) ?? [];
  const operations = points[0]?.operations.map(({ name }) => name) ?? [];
  return [
    ...table(["an event under load", ...heads], rows(EVENT_ROWS)),
    ...table(["stored", ...heads], rows([...SIZE_ROWS, memoryRow(emptyMb)])),
    ...table(
      ["CPU ms of a page (rows read)", ...heads],
      pageNames.map((name, n) => [name, ...points.map(({ pages }) => pageCell(pages[n]))]),
    ),
    ...table(["a start", ...heads], rows(START_ROWS)),
    ...table(
      ["on all data: s (CPU s, longest turn, peak MB)", ...heads],
      operations.map((name, n) => [
        name,
        ...points.map((point) => {
          const cost = point.operations[n];
          if (cost === undefined) return "";
          const seconds = [cost.ms, cost.cpuMs].map((ms) => short(ms / 1000));
          const figures = [seconds[1], `${whole(cost.longestTurnMs)} ms`, whole(cost.peakRssMb)];
          return `${seconds[0]} (${figures.join(", ")}) ${cost.result}`;
        }),
      ]),
    ),
    ...listLargest(points),
  ];
}

const EVENT_ROWS: readonly [string, (point: Point) => string][] = [
  ["CPU ms", ({ event }) => event.cpuMs.toFixed(2)],
  ["events/s", ({ event }) => whole(event.perSecond)],
  ["acknowledged p50 ms", ({ event }) => short(event.p50Ms)],
  ["acknowledged p99 ms", ({ event }) => short(event.p99Ms)],
  ["not acknowledged", ({ event }) => whole(event.failed)],
  ["rows read", ({ used }) => short(used.rowsRead)],
  ["rows written", ({ used }) => used.rowsWritten.toFixed(2)],
  ["requests to objects", ({ used }) => used.objectRequests.toFixed(2)],
  ["KV writes", ({ used }) => used.writes.toFixed(3)],
];

const SIZE_ROWS: readonly [string, (point: Point) => string][] = [
  ["index, kB an issue", ({ sizes, issues }) => short(sizes.index / issues / 1e3)],
  ["log, bytes a report", ({ sizes, reports }) => whole(sizes.log / reports)],
  ["KV chunks, bytes a report", ({ sizes, reports }) => whole(sizes.kvChunks / reports)],
  ["KV snapshots and others, MB", ({ sizes }) => short(sizes.kvOthers / 1e6)],
  ["CPU without requests, ms/s", ({ idle }) => short(idle * 1000)],
];

function memoryRow(emptyMb: number): [string, (point: Point) => string] {
  const name = `workerd at most during the load, MB (empty: ${whole(emptyMb)})`;
  return [name, ({ rssMb }) => whole(rssMb)];
}

const START_ROWS: readonly [string, (point: Point) => string][] = [
  ["first answer, ms", ({ start }) => (start ? whole(start.firstAnswerMs) : "")],
  ["… its CPU, ms", ({ start }) => (start ? whole(start.firstAnswerCpuMs) : "")],
  ["longest turn after it, CPU ms", ({ start }) => (start ? whole(start.longestTurnMs) : "")],
  [
    "sweep of what expired, s",
    ({ sweep }) => (sweep ? `${short(sweep.watchedMs / 1000)}, ${whole(sweep.issues)} left` : ""),
  ],
  ["… its longest turn, CPU ms", ({ sweep }) => (sweep ? whole(sweep.longestTurnMs) : "")],
];

/** The statements that read the most, at the largest size. */
function listLargest(points: readonly Point[]): string[] {
  const pages = points.at(-1)?.pages.filter(({ largest }) => largest !== "") ?? [];
  return table(
    ["page", "its statement with the most rows read"],
    pages.map(({ name, largest }) => [name, `\`${largest.replaceAll("|", "\\|")}\``]),
  );
}

function pageCell(cost: Point["pages"][number] | undefined): string {
  if (cost === undefined) return "";
  const { cpuMs, rowsRead, status } = cost;
  return `${short(cpuMs)} (${whole(rowsRead)})${status >= 500 ? ` status ${status}` : ""}`;
}

/** A Markdown table; nothing without rows. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const aligned = heads.map((_, column) => (column === 0 ? "---" : "---:"));
  return [...[heads, aligned, ...rows].map((cells) => `| ${cells.join(" | ")} |`), ""];
}

function whole(count: number): string {
  return Math.round(count).toLocaleString("en-GB");
}

function short(figure: number): string {
  return figure >= 100 ? whole(figure) : figure.toFixed(1);
}
