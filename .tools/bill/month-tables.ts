// The tables of src/docs/limits-and-costs.md: cost and use of months, the constants, and a day of
// the free plan.

import {
  type Constants,
  computeAmounts,
  computeFreeDay,
  computeMonthBill,
  DAY_SECONDS,
  LATENCY_MS,
  type Month,
  PATTERNS,
  type PaceCosts,
  type Pattern,
  type ReportCost,
} from "./bill.ts";
import { type Amounts, type Bill, PRICED, PRICES, PRICES_READ, type Priced } from "./prices.ts";

const REPORTS = [1e6, 10e6, 1e9];
const ISSUES = [1e3, 50e3, 1e6];
const FREE_ISSUES_PER_MONTH = 1_000;

/** Monthly amounts in the order of the columns. */
const COLUMNS: readonly (keyof Amounts)[] = [
  ...(["workerRequests", "cpuMs", "objectRequests", "alarms", "objectGbSeconds"] as const),
  ...(["rowsRead", "rowsWritten", "kvReads", "kvWrites", "kvGb", "sqlGb"] as const),
];

/** The part of the page between its marks, as Markdown. */
export function formatMonthTables(constants: Constants): string {
  return [costs(constants), usage(constants), constantsTable(constants), freeDay(constants)]
    .flat()
    .join("\n")
    .trimEnd();
}

const PATTERN_NAMES = Object.keys(PATTERNS) as Pattern[];

function costs(constants: Constants): string[] {
  return [
    ...table(
      ["Reports a month", "Issues", ...PATTERN_NAMES.map((pattern) => PATTERNS[pattern].title)],
      REPORTS.flatMap((reports) =>
        ISSUES.map((issues) => [
          figure(reports),
          figure(issues),
          ...PATTERN_NAMES.map((pattern) => formatCost({ pattern, reports, issues }, constants)),
        ]),
      ),
    ),
    ...PATTERN_NAMES.map((name) => `- **${PATTERNS[name].title}**: ${PATTERNS[name].means}.`),
    "",
  ];
}

function usage(constants: Constants): string[] {
  const months = REPORTS.flatMap((reports) =>
    ISSUES.flatMap((issues) => PATTERN_NAMES.map((pattern) => ({ pattern, reports, issues }))),
  );
  return [
    "### What these months use",
    "",
    "k, M, G and T are thousands, millions, 10⁹ and 10¹². Storage is the amount at the end of",
    "a month, if all earlier months were like it.",
    "",
    ...table(
      ["Reports", "Issues", ...COLUMNS.map(formatTitle)],
      months.map((month) => {
        const amounts = computeAmounts(month, constants);
        const name = `${figure(month.reports)} ${PATTERNS[month.pattern].title}`;
        return [name, figure(month.issues), ...COLUMNS.map((column) => figure(amounts[column]))];
      }),
    ),
  ];
}

function constantsTable(constants: Constants): string[] {
  const { paces, fewIssues, manyIssues, page } = constants;
  return [
    "### Constants",
    "",
    `For each report, at the pace at which reports reach one shard. A cell has three figures: for a`,
    `report of one of ${figure(fewIssues)} known issues · of one of ${figure(manyIssues)} · of a new issue.`,
    "",
    ...table(
      ["For each report", ...paces.map(({ perSecond }) => formatPace(perSecond)), "Source"],
      CONSTANT_ROWS.map(([name, of, from]) => [
        name,
        ...paces.map((pace) => formatThree(pace, of)),
        from,
      ]),
    ),
    `Also measured: ${figure(constants.indexBytesPerIssue)} bytes of the index and`,
    `${figure(constants.snapshotBytesPerIssue)} of KV for each issue, ` +
      `${figure(constants.logBytesPerReport)} bytes of the log for each`,
    `report; for each page ${figure(page.rowsRead)} rows read and ${figure(page.objectRequests)} requests to objects.`,
    "",
    `\`npm run bench:scale\` measured them: ${constants.measured}.`,
    `Prices of ${PRICES_READ}.`,
    "",
  ];
}

function freeDay(constants: Constants): string[] {
  const { reports } = constants.freeDay;
  return [
    "### A quiet day on the free plan",
    "",
    `${figure(reports)} reports, evenly spread over the day, and ${figure(FREE_ISSUES_PER_MONTH)} new issues a month, after a year of`,
    "such days. A whole day was measured, with the default of",
    "[`ERRATA_KV_WRITES_PER_DAY`](./configuration.md#storage). Storage is computed.",
    "",
    ...table(["Resource", "Used a day", "Limit", "Share"], freeRows(constants)),
  ];
}

const CONSTANT_ROWS: readonly [string, (cost: ReportCost) => number, string][] = [
  ["Rows read", ({ rowsRead }) => rowsRead, "measured"],
  ["Rows written, with `setAlarm`", ({ rowsWritten }) => rowsWritten, "measured"],
  ["Alarms", ({ alarms }) => alarms, "measured"],
  ["Requests to objects", (cost) => 1 + cost.betweenObjects + cost.alarms, "1, and measured"],
  [
    "ms that objects are active",
    ({ activeMs }) => activeMs,
    `measured, with ${LATENCY_MS.kvWrite} ms assumed for a KV write`,
  ],
  ["CPU ms", ({ cpuMs }) => cpuMs, "measured, with the objects' part"],
  ["KV writes", ({ kvWrites }) => kvWrites, "measured"],
  ["KV reads", ({ kvReads }) => kvReads, "measured"],
  ["Bytes in KV", ({ chunkBytes }) => chunkBytes, "measured"],
];

/** The use of each limit of the free plan by a quiet day. */
export function computeFreeShares(constants: Constants) {
  const day = computeFreeDay(FREE_ISSUES_PER_MONTH, constants);
  return PRICED.flatMap((name) => {
    const { title, free } = PRICES[name];
    return free === undefined ? [] : [{ name, title, used: day[name], limit: free }];
  });
}

function freeRows(constants: Constants): string[][] {
  return computeFreeShares(constants).map(({ title, used, limit }) => {
    const share = `${Math.round((used / limit) * 100)} %`;
    return [title, figure(used), figure(limit), share];
  });
}

/** The maximum cost of a month. */
const GOALS: readonly (Month & { maxUsd: number })[] = [
  { pattern: "quiet", reports: 1e6, issues: 1e3, maxUsd: 15 },
  { pattern: "quiet", reports: 1e9, issues: 500, maxUsd: 1_500 },
  { pattern: "storm", reports: 1e9, issues: 500, maxUsd: 1_500 },
];

/** A line for each goal, with its largest parts, and for the free plan. */
export function formatGoals(constants: Constants): string[] {
  const months = GOALS.map(({ maxUsd, ...month }) => {
    const bill = computeMonthBill(month, constants);
    const parts = [...PRICED]
      .sort((a, b) => bill.parts[b] - bill.parts[a])
      .filter((name) => bill.parts[name] >= 0.005)
      .map((name) => `${PRICES[name].title} $${figure(bill.parts[name])}`);
    const name = `${figure(month.reports)} ${month.pattern} reports, ${month.issues} issues`;
    const result = bill.usd <= maxUsd ? "reached" : "not reached";
    const sum = ["plan $5", ...parts].join(" + ");
    return `${name}: $${figure(bill.usd)} of $${figure(maxUsd)}, ${result}: ${sum}`;
  });
  const shares = computeFreeShares(constants).sort((a, b) => b.used / b.limit - a.used / a.limit);
  const [most] = shares;
  const isEnough = shares.every(({ used, limit }) => used <= limit);
  const free = `${figure(constants.freeDay.reports)} quiet reports a day on the free plan`;
  const result = isEnough ? "reached" : "not reached";
  const share =
    most === undefined ? "" : `${most.title} ${Math.round((most.used / most.limit) * 100)} %`;
  return [...months, `${free}: ${result}: ${share} is the most`];
}

/** `$8 (KV writes $2)`: the largest part beyond the plan. */
function formatCost(month: Month, constants: Constants): string {
  if (month.issues > month.reports) return "";
  const bill = computeMonthBill(month, constants);
  const [name, usd] = findLargestPart(bill);
  const total = `$${figure(bill.usd)}`;
  return usd < 0.5 ? total : `${total} (${PRICES[name].title} $${figure(usd)})`;
}

/** The part of a bill that costs the most. */
function findLargestPart({ parts }: Bill): [Priced, number] {
  const [first = "rowsRead"] = [...PRICED].sort((a, b) => parts[b] - parts[a]);
  return [first, parts[first]];
}

function formatThree({ few, many, first }: PaceCosts, of: (cost: ReportCost) => number): string {
  return [few, many, first].map((cost) => figure(of(cost))).join(" · ");
}

function formatTitle(column: keyof Amounts): string {
  return column === "alarms" ? "Alarms" : PRICES[column].title;
}

/** `one in 29 s`, `96 a second`. */
function formatPace(perSecond: number): string {
  if (perSecond >= 1) return `${figure(perSecond)} a second`;
  return `${figure(Math.round(perSecond * DAY_SECONDS))} a day`;
}

/** Two or three digits, all below 10,000: `0.38`, `14.2`, `9,999`, `12 k`, `1.2 M`. */
export function figure(amount: number): string {
  for (const { from, unit, name } of UNITS) {
    if (amount >= from) return `${digits(amount / unit)} ${name}`;
  }
  return digits(amount);
}

const UNITS = [
  { from: 0.9995e12, unit: 1e12, name: "T" },
  { from: 0.9995e9, unit: 1e9, name: "G" },
  { from: 0.9995e6, unit: 1e6, name: "M" },
  { from: 1e4, unit: 1e3, name: "k" },
] as const;

function digits(amount: number): string {
  if (amount >= 100) return Math.round(amount).toLocaleString("en-GB");
  return String(Number(amount.toPrecision(amount >= 10 ? 3 : 2)));
}

/** A Markdown table. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const aligned = heads.map((_, column) => (column === 0 ? "---" : "---:"));
  return [...[heads, aligned, ...rows].map((cells) => `| ${cells.join(" | ")} |`), ""];
}
