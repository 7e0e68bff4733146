// The results as the tables of tests/bench/README.md.

import { formatShort, formatTable, formatWhole } from "../command/format-table.ts";
import type { Ratio } from "../command/statistics.ts";
import type { ColdEngine } from "./cold-engine.ts";
import type { Start } from "./cold-start.ts";
import type { Latency } from "./latency.ts";
import type { Rounds } from "./rounds.ts";
import type { SourceMapFigure } from "./source-maps.ts";
import type { Written } from "./writes.ts";

/** Formats the lines of all cases, and what is wrong with them. */
export function formatRounds({ rounds, seconds, lines, found, memory }: Rounds): string[] {
  const isAgainst = lines.some(({ other }) => other !== null);
  const heads = [
    ...["", "connections", "CPU µs per request", "× bare", "× reference"],
    ...(isAgainst ? ["× other"] : []),
    ...["requests/s", "p50 ms", "p99 ms"],
  ];
  return [
    `${rounds} rounds of ${seconds} s under load; ± is half of the range of the rounds' ratios.`,
    "",
    ...formatTable(
      heads,
      lines.map((line) => {
        const ratios = [line.bare, line.reference, ...(isAgainst ? [line.other] : [])];
        return [
          line.of === "this" ? line.title : `${line.title}, other`,
          ...[String(line.connections), formatWhole(line.cpuUs), ...ratios.map(formatRatio)],
          ...[formatWhole(line.perSecond), formatShort(line.p50Ms), formatShort(line.p99Ms)],
        ];
      }),
    ),
    ...lines
      .filter(({ failed }) => failed > 0)
      .map(({ name, of, failed, failures }) => {
        return `- ${name} of ${of}: ${formatWhole(failed)} unexpected answers (${failures.join(", ")})`;
      }),
    ...found.map(({ rig, acknowledged, failed, wrong }) => {
      const result = wrong.length === 0 ? "all found" : `${wrong.length} differences: ${wrong[0]}`;
      return `- ${rig}: ${formatWhole(acknowledged)} reports acknowledged, ${result}; ${formatWhole(failed)} requests failed`;
    }),
    "",
    ...formatTable(
      ["memory after the rounds", "MB"],
      memory.map(({ rig, megabytes }) => [rig, formatWhole(megabytes)]),
    ),
  ];
}

export function formatStarts(starts: readonly Start[]): string[] {
  return formatTable(
    ["cold start", "ms", "above an empty Worker", "CPU ms", "above an empty Worker"],
    starts.map(({ title, of, ms, aboveMs, cpuMs, aboveCpuMs }) => [
      of === "this" ? title : `${title}, other`,
      ...[ms, aboveMs, cpuMs, aboveCpuMs].map(formatShort),
    ]),
  );
}

export function formatColdEngine({ events, plainUs, startUs, ratio }: ColdEngine): string[] {
  const [count, plain, start] = [events, plainUs, startUs].map(formatWhole);
  return [
    `The first ${count} events of a process: ${plain} µs of CPU each on plain workerd, ` +
      `${start} by npm start (× ${formatRatio(ratio)}).`,
    "",
  ];
}

export function formatWrites(written: readonly Written[]): string[] {
  const heads = [
    ...["a million reports", "KV writes: chunks", "snapshots", "rows written", "rows read"],
    ...["requests to objects", "bytes in KV per report"],
  ];
  return formatTable(
    heads,
    written.map((one) => {
      const { mix, chunkWrites, writes, rowsWritten, rowsRead, objectRequests } = one;
      const counts = [chunkWrites, writes - chunkWrites, rowsWritten, rowsRead, objectRequests];
      return [mix, ...[...counts.map((count) => count * 1e6), one.kvBytes].map(formatWhole)];
    }),
  );
}

export function formatLatency({ events, lost, found, acknowledged }: Latency): string[] {
  const format = ({ p50Ms, p99Ms }: Latency["found"]) =>
    `p50 ${formatShort(p50Ms)} ms, p99 ${formatShort(p99Ms)} ms`;
  return [
    `From the throw until the report is on the issue's page, ${events} events: ` +
      `${format(found)}; ${lost} not found. ` +
      `Until it is acknowledged: ${format(acknowledged)}.`,
  ];
}

export function formatSourceMaps(figures: readonly SourceMapFigure[]): string[] {
  const formatGoal = (goal?: number) => (goal === undefined ? "" : `≤ ${goal}`);
  return formatTable(
    ["source maps", "CPU ms", "goal", "MB above the start", "goal"],
    figures.map(({ title, cpuMs, goalMs, megabytes, goalMegabytes }) => [
      ...[title, formatShort(cpuMs), formatGoal(goalMs)],
      megabytes === undefined ? "" : formatWhole(megabytes),
      formatGoal(goalMegabytes),
    ]),
  );
}

/** `0.27 ± 4 %`. */
function formatRatio(value: Ratio | null): string {
  return value === null ? "" : `${value.times.toFixed(2)} ± ${Math.round(value.spread * 50)} %`;
}
