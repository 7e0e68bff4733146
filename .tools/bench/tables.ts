// The results as the tables of tests/bench/README.md.

import type { Ratio } from "../command/statistics.ts";
import { describeSetting, type Setting } from "../rig/setting.ts";
import type { ColdEngine } from "./cold-engine.ts";
import type { Start } from "./cold-start.ts";
import type { Latency } from "./latency.ts";
import type { Rounds } from "./rounds.ts";
import type { SourceMapFigure } from "./source-maps.ts";
import type { Written } from "./writes.ts";

/** The results. A part that was not measured is absent. */
export interface Results {
  setting: Setting;
  rounds?: Rounds;
  coldStart?: readonly Start[];
  coldEngine?: ColdEngine;
  written?: readonly Written[];
  latency?: Latency;
  sourceMaps?: readonly SourceMapFigure[];
}

/** The lines of a Markdown text. */
export function formatTables(results: Results): string[] {
  const { setting, rounds, coldStart, coldEngine, written, latency, sourceMaps } = results;
  const lines = [`${describeSetting(setting)}.`, ""];
  if (rounds !== undefined) lines.push(...roundsTable(rounds));
  if (coldStart !== undefined) {
    lines.push(
      ...table(
        ["cold start", "ms", "above an empty Worker", "CPU ms", "above an empty Worker"],
        coldStart.map(({ title, of, ms, aboveMs, cpuMs, aboveCpuMs }) => {
          return [
            of === "this" ? title : `${title}, other`,
            ...[ms, aboveMs, cpuMs, aboveCpuMs].map(short),
          ];
        }),
      ),
    );
  }
  if (coldEngine !== undefined) {
    const { events, plainUs, startUs, ratio: times } = coldEngine;
    lines.push(
      `The first ${whole(events)} events of a process: ${whole(plainUs)} µs of CPU each on plain workerd, ` +
        `${whole(startUs)} by npm start (× ${ratio(times)}).`,
      "",
    );
  }
  if (written !== undefined) {
    lines.push(
      ...table(
        [
          "a million reports",
          "KV writes: chunks",
          "snapshots",
          "rows written",
          "rows read",
          "requests to objects",
          "bytes in KV per report",
          "$ a month at 1 M",
          "at 1 B",
        ],
        written.map((one) => {
          const { chunkPuts, snapshotPuts, rowsWritten, rowsRead, objectRequests } = one;
          const counts = [chunkPuts, snapshotPuts, rowsWritten, rowsRead, objectRequests];
          const rest = [one.kvBytes, one.usdAtMillion, one.usdAtBillion];
          return [one.mix, ...[...counts.map((count) => count * 1e6), ...rest].map(whole)];
        }),
      ),
    );
  }
  if (latency !== undefined) {
    const { events, lost, foundP50Ms, foundP99Ms, acknowledgedP50Ms, acknowledgedP99Ms } = latency;
    lines.push(
      `Throw to findable, ${events} events: p50 ${short(foundP50Ms)} ms, p99 ${short(foundP99Ms)} ms; ${lost} not found. ` +
        `Acknowledged: p50 ${short(acknowledgedP50Ms)} ms, p99 ${short(acknowledgedP99Ms)} ms.`,
    );
  }
  if (sourceMaps !== undefined) {
    lines.push(
      ...table(
        ["source maps", "CPU ms", "goal", "MB above the start", "goal"],
        sourceMaps.map(({ title, cpuMs, goalMs, megabytes, goalMegabytes }) => [
          title,
          short(cpuMs),
          goalMs === undefined ? "" : `≤ ${goalMs}`,
          megabytes === undefined ? "" : whole(megabytes),
          goalMegabytes === undefined ? "" : `≤ ${goalMegabytes}`,
        ]),
      ),
    );
  }
  return lines;
}

function roundsTable({ rounds, seconds, lines, found, memory }: Rounds): string[] {
  const isAgainst = lines.some(({ other }) => other !== null);
  const others = isAgainst ? ["× other"] : [];
  const heads = [
    "CPU µs per request",
    "× bare",
    "× beside",
    ...others,
    "requests/s",
    "p50 ms",
    "p99 ms",
  ];
  return [
    `${rounds} rounds of ${seconds} s under load; ± is half of the range of the rounds' ratios.`,
    "",
    ...table(
      ["", "connections", ...heads],
      lines.map((line) => {
        const ratios = [line.bare, line.beside, ...(isAgainst ? [line.other] : [])].map(ratio);
        const pace = [whole(line.perSecond), short(line.p50Ms), short(line.p99Ms)];
        const title = line.of === "this" ? line.title : `${line.title}, other`;
        return [title, String(line.connections), whole(line.cpuUs), ...ratios, ...pace];
      }),
    ),
    ...lines
      .filter(({ failed }) => failed > 0)
      .map(({ name, of, failed, failures }) => {
        return `- ${name} of ${of}: ${whole(failed)} unexpected answers (${failures.join(", ")})`;
      }),
    ...found.map(({ rig, acknowledged, failed, wrong }) => {
      const result = wrong.length === 0 ? "all found" : `${wrong.length} differences: ${wrong[0]}`;
      return `- ${rig}: ${whole(acknowledged)} reports acknowledged, ${result}; ${whole(failed)} requests failed`;
    }),
    "",
    ...table(
      ["memory after the rounds", "MB"],
      memory.map(({ rig, megabytes }) => [rig, whole(megabytes)]),
    ),
  ];
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const aligned = heads.map((_, column) => (column === 0 ? "---" : "---:"));
  return [...[heads, aligned, ...rows].map((cells) => `| ${cells.join(" | ")} |`), ""];
}

/** `0.27 ± 4 %`. */
function ratio(value: Ratio | null): string {
  return value === null ? "" : `${value.times.toFixed(2)} ± ${Math.round(value.spread * 50)} %`;
}

function whole(count: number): string {
  return Math.round(count).toLocaleString("en-GB");
}

function short(ms: number): string {
  return ms.toFixed(Math.abs(ms) < 10 ? 1 : 0);
}
