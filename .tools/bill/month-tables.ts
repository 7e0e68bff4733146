// The tables of src/docs/limits-and-costs.md: cost and use of months, the constants, and a day of
// the free plan.

import { formatTable } from "../command/format-table.ts";
import { computeAmounts, DAY_SECONDS, type Month, PATTERNS, type Pattern } from "./amounts.ts";
import { type Constants, LATENCY_MS, type ReportCost } from "./constants.ts";
import { formatFigure } from "./format-figure.ts";
import { computeFreeShares, FREE_ISSUES_PER_MONTH, formatShare } from "./goals.ts";
import { type Amounts, computeBill, PRICED, PRICES, PRICES_READ } from "./prices.ts";

const REPORTS = [1e6, 10e6, 1e9];
const ISSUES = [1e3, 50e3, 1e6];
const PATTERN_NAMES = Object.keys(PATTERNS) as Pattern[];

/** Monthly amounts in the order of the columns. */
const COLUMNS: readonly (keyof Amounts)[] = [
  ...(["workerRequests", "cpuMs", "objectRequests", "alarms", "objectGbSeconds"] as const),
  ...(["rowsRead", "rowsWritten", "kvReads", "kvWrites", "kvGb", "sqlGb"] as const),
];

/** The part of the page between its marks, as Markdown. */
export function formatMonthTables(constants: Constants): string {
  const parts = [formatCosts, formatUsage, formatConstants, formatFreeDay];
  return parts
    .flatMap((format) => format(constants))
    .join("\n")
    .trimEnd();
}

function formatCosts(constants: Constants): string[] {
  return [
    ...formatTable(
      ["Reports a month", "Issues", ...PATTERN_NAMES],
      REPORTS.flatMap((reports) =>
        ISSUES.map((issues) => [
          ...[formatFigure(reports), formatFigure(issues)],
          ...PATTERN_NAMES.map((pattern) => formatCost({ pattern, reports, issues }, constants)),
        ]),
      ),
    ),
    ...PATTERN_NAMES.map((name) => `- **${name}**: ${PATTERNS[name].means}.`),
    "",
  ];
}

/** `$8 (KV writes $2)`: the largest part beyond the plan. */
function formatCost(month: Month, constants: Constants): string {
  if (month.issues > month.reports) return "";
  const { parts, usd } = computeBill(computeAmounts(month, constants));
  const [largest = "rowsRead"] = PRICED.toSorted((a, b) => parts[b] - parts[a]);
  const total = `$${formatFigure(usd)}`;
  const part = parts[largest];
  return part < 0.5 ? total : `${total} (${PRICES[largest].title} $${formatFigure(part)})`;
}

function formatUsage(constants: Constants): string[] {
  const months = REPORTS.flatMap((reports) =>
    ISSUES.flatMap((issues) => PATTERN_NAMES.map((pattern) => ({ pattern, reports, issues }))),
  );
  const titles = COLUMNS.map((column) => (column === "alarms" ? "Alarms" : PRICES[column].title));
  return [
    "### What these months use",
    "",
    "k, M, G and T are thousands, millions, 10⁹ and 10¹². Storage is the amount at the end of",
    "a month, if all earlier months were like it.",
    "",
    ...formatTable(
      ["Reports", "Issues", ...titles],
      months.map((month) => {
        const amounts = computeAmounts(month, constants);
        const name = `${formatFigure(month.reports)} ${month.pattern}`;
        const figures = [month.issues, ...COLUMNS.map((column) => amounts[column])];
        return [name, ...figures.map(formatFigure)];
      }),
    ),
  ];
}

const CONSTANT_ROWS: readonly [string, (cost: ReportCost) => number, string][] = [
  ["Rows read", ({ rowsRead }) => rowsRead, "measured"],
  ["Rows written, with `setAlarm`", ({ rowsWritten }) => rowsWritten, "measured"],
  ["Alarms", ({ alarms }) => alarms, "measured"],
  ["Requests to objects", (cost) => 1 + cost.betweenObjects + cost.alarms, "1 plus measured"],
  [
    "Active time of objects, ms",
    ({ activeMs }) => activeMs,
    `measured, with ${LATENCY_MS.kvWrite} ms assumed for a KV write`,
  ],
  ["CPU ms", ({ cpuMs }) => cpuMs, "measured, including the objects"],
  ["KV writes", ({ kvWrites }) => kvWrites, "measured"],
  ["KV reads", ({ kvReads }) => kvReads, "measured"],
  ["Bytes in KV", ({ chunkBytes }) => chunkBytes, "measured"],
];

function formatConstants(constants: Constants): string[] {
  const { paces, page } = constants;
  const [few, many, indexBytes, snapshotBytes, logBytes] = [
    ...[constants.fewIssues, constants.manyIssues, constants.indexBytesPerIssue],
    ...[constants.snapshotBytesPerIssue, constants.logBytesPerReport],
  ].map(formatFigure);
  return [
    "### Constants",
    "",
    "The table shows the use of one report, by the pace at which reports reach a shard. A cell has three",
    `figures: for a report of one of ${few} known issues · of one of ${many} · of a new issue.`,
    "",
    ...formatTable(
      ["For each report", ...paces.map(({ perSecond }) => formatPace(perSecond)), "Source"],
      CONSTANT_ROWS.map(([name, select, from]) => {
        const cells = paces.map((pace) =>
          [pace.few, pace.many, pace.first].map((cost) => formatFigure(select(cost))).join(" · "),
        );
        return [name, ...cells, from];
      }),
    ),
    `Also measured: ${indexBytes} bytes of the index and`,
    `${snapshotBytes} of KV for each issue, ${logBytes} bytes of the log for each`,
    `report; for each page ${formatFigure(page.rowsRead)} rows read and ${formatFigure(page.objectRequests)} requests to objects.`,
    "",
    `\`npm run bench:scale\` measured them: ${constants.measured}.`,
    `Prices of ${PRICES_READ}.`,
    "",
  ];
}

function formatFreeDay(constants: Constants): string[] {
  const reports = formatFigure(constants.freeDay.reports);
  return [
    "### A quiet day on the free plan",
    "",
    `${reports} reports, evenly spread over the day, and ${formatFigure(FREE_ISSUES_PER_MONTH)} new issues a month, after a year of`,
    "such days. A whole day was measured, with the default of",
    "[`ERRATA_KV_WRITES_PER_DAY`](./configuration.md#storage). Storage is computed.",
    "",
    ...formatTable(
      ["Resource", "Used a day", "Limit", "Share"],
      computeFreeShares(constants).map(({ title, used, limit, share }) => {
        return [title, formatFigure(used), formatFigure(limit), formatShare(share)];
      }),
    ),
  ];
}

/** `3,333 a day`, `96 a second`. */
function formatPace(perSecond: number): string {
  if (perSecond >= 1) return `${formatFigure(perSecond)} a second`;
  return `${formatFigure(Math.round(perSecond * DAY_SECONDS))} a day`;
}
