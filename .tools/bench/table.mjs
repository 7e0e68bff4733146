// The results as the tables of tests/bench/README.md.

import { goalsOf, verdictOf } from "./goals.mjs";
import { sentenceOf } from "./setting.mjs";

/** @typedef {import("./lines.mjs").Line} Line */
/** @typedef {import("./lines.mjs").Ratio} Ratio */
/**
 * @typedef {object} Results what was not measured is undefined
 * @property {import("./setting.mjs").Setting} setting
 * @property {import("./rounds.mjs").Rounds} rounds
 * @property {import("./cold-start.mjs").ColdStart} [coldStart]
 * @property {readonly (import("./writes.mjs").Written & { usd1M: number, usd1B: number })[]} [written]
 * @property {Awaited<ReturnType<typeof import("./latency.mjs").latency>>} [latency]
 */

/** @param {Results} results @returns {readonly string[]} Markdown, line by line */
export function tablesOf(results) {
  const { setting, rounds, coldStart, written, latency } = results;
  return [
    `${sentenceOf(setting)}.`,
    "",
    ...(rounds.lines.length === 0 ? [] : played(rounds)),
    ...(coldStart === undefined ? [] : starts(coldStart)),
    ...(written === undefined ? [] : bill(written)),
    ...(latency === undefined ? [] : found(latency)),
    ...goals(results),
  ];
}

/** @param {import("./rounds.mjs").Rounds} rounds */
function played(rounds) {
  return [
    `${rounds.rounds} rounds of ${ms(rounds.roundMs / 1000)} s under load; ± is half of what lies between the smallest and the largest`,
    "ratio of the rounds.",
    "",
    ...requests(rounds),
    "",
    ...rounds.lines
      .filter(({ failed }) => failed > 0)
      .map(({ what, of, failed, failures }) => {
        const whose = of === "this" ? what : `${what}, the other`;
        return `- ${whose}: ${n(failed)} requests not answered as they should be (${failures.join(", ")})`;
      }),
    ...rounds.found.map(({ rig, acknowledged, found, failed, wrong }) => {
      const all = wrong.length === 0 ? "all of them found" : `${n(found)} found: ${wrong[0]}`;
      return `- ${rig}: ${n(acknowledged)} reports acknowledged, ${all}; ${n(failed)} requests not answered`;
    }),
    "",
    ...memory(rounds.resident),
  ];
}

/** @param {Results} results */
function goals(results) {
  return [
    "| goal | wanted | is |",
    "|---|---:|---|",
    ...goalsOf(results).map((goal) => {
      const wanted = `${goal.isAtLeast ? "≥" : "≤"} ${goal.wanted.toLocaleString("en-GB")}`;
      return row([goal.what, wanted, verdictOf(goal)]);
    }),
  ];
}

/** @param {import("./rounds.mjs").Rounds} rounds */
function requests({ lines }) {
  const isAgainst = lines.some(({ other }) => other !== null);
  const heads = ["CPU µs per request", "× bare", "× plain react-dom"];
  if (isAgainst) heads.push("× the other");
  heads.push("requests/s", "p50 ms", "p99 ms");
  return [
    row(["", "connections", ...heads]),
    row(["---", ...Array.from({ length: heads.length + 1 }, () => "---:")]),
    ...lines.map((line) => {
      const name = line.of === "this" ? line.what : `${line.what}, the other`;
      const ratios = [ratio(line.bare), ratio(line.plain)];
      if (isAgainst) ratios.push(ratio(line.other));
      const pace = line.isDerived
        ? ["", "", ""]
        : [n(line.perSecond), ms(line.p50Ms), ms(line.p99Ms)];
      return row([name, line.connections, n(line.cpuUs), ...ratios, ...pace]);
    }),
  ];
}

/** @param {import("./cold-start.mjs").ColdStart} starts */
function starts(starts) {
  return [
    "| cold start | ms to the first answer | above an empty Worker | CPU ms | above an empty Worker |",
    "|---|---:|---:|---:|---:|",
    ...starts.map(({ worker, path, of, ms: took, aboveMs, cpuMs, aboveCpuMs }) => {
      const what = worker === "bare" ? "an empty Worker" : FIRST_ANSWERS[path];
      const figures = [took, aboveMs, cpuMs, aboveCpuMs].map((one) => ms(one));
      return row([of === "this" ? what : `${what}, the other`, ...figures]);
    }),
    "",
  ];
}

const FIRST_ANSWERS = { report: "to a preflight", page: "with the first page" };

/** @param {readonly import("./rounds.mjs").Resident[]} resident */
function memory(resident) {
  return [
    "| in memory after the rounds | MB |",
    "|---|---:|",
    ...resident.map(({ rig, megabytes }) => row([rig, n(megabytes)])),
    "",
  ];
}

/** @param {NonNullable<Results["written"]>} written */
function bill(written) {
  return [
    "| a million reports | KV writes: chunks | snapshots | rows written | requests to objects | bytes in KV per report | $ a month at 1 M | at 1 B |",
    "|---|---:|---:|---:|---:|---:|---:|---:|",
    ...written.map((line) => {
      const { mix, chunkPuts, snapshotPuts, rows, objectRequests } = line;
      const perMillion = [chunkPuts, snapshotPuts, rows, objectRequests].map((one) => n(one * 1e6));
      const bytes = n(line.chunkBytes + line.snapshotBytes);
      return row([mix, ...perMillion, bytes, n(line.usd1M), n(line.usd1B)]);
    }),
    "",
  ];
}

/** @param {NonNullable<Results["latency"]>} latency */
function found(latency) {
  const { events, p50Ms, p99Ms, acknowledgedP50Ms, acknowledgedP99Ms, diskP50Ms, diskP99Ms, lost } =
    latency;
  return [
    `Throw to findable, ${events} events: p50 ${ms(p50Ms)} ms, p99 ${ms(p99Ms)} ms; ${lost} not found. Acknowledged: p50 ` +
      `${ms(acknowledgedP50Ms)} ms, p99 ${ms(acknowledgedP99Ms)} ms. A write of the disk alone, behind each of them: p50 ` +
      `${ms(diskP50Ms)} ms, p99 ${ms(diskP99Ms)} ms.`,
    "",
  ];
}

/** `0.27 ± 4 %`. @param {Ratio | null} ratio */
function ratio(ratio) {
  if (ratio === null) return "";
  return `${ratio.times.toFixed(2)} ± ${Math.round(ratio.spread * 50)} %`;
}

/** @param {readonly (string | number)[]} cells */
function row(cells) {
  return `| ${cells.join(" | ")} |`;
}

/** @param {number} count */
function n(count) {
  return Math.round(count).toLocaleString("en-GB");
}

/** @param {number} time */
function ms(time) {
  return time.toFixed(Math.abs(time) < 10 ? 1 : 0);
}
