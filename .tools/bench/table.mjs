// The results as the tables of tests/bench/README.md, each goal with its verdict.

/** The goals of tests/bench/README.md. */
const GOALS = { times: 4, perSecond: 2_500, kvWritesPerMillion: 8_000, throwToFoundMs: 100 };

/**
 * @typedef {object} Results
 * @property {import("./throughput.mjs").Throughput} throughput
 * @property {readonly (import("./writes.mjs").Written & { usd1M: number, usd1B: number })[]} written
 * @property {Awaited<ReturnType<typeof import("./latency.mjs").latency>>} latency
 */

/** @param {Results} results @returns {readonly string[]} Markdown, line by line */
export function tablesOf({ throughput, written, latency }) {
  return [
    "| | connections | events/s | CPU µs per event | × bare | answer p50 ms | p99 ms |",
    "|---|---:|---:|---:|---:|---:|---:|",
    ...throughput.lines.map((line) => {
      const { name, connections, perSecond, cpuUs, times, p50Ms, p99Ms } = line;
      const figures = [connections, n(perSecond), n(cpuUs), times.toFixed(1), ms(p50Ms), ms(p99Ms)];
      return row([name, ...figures]);
    }),
    "",
    ...throughput.found.map(({ name, acknowledged, found, failed, wrong }) => {
      const all = wrong.length === 0 ? "all of them found" : `${n(found)} found`;
      return `- ${name}: ${n(acknowledged)} acknowledged, ${all}, ${n(failed)} not taken`;
    }),
    "",
    "| a million reports | KV writes: chunks | snapshots | rows written | requests to objects | bytes in KV per report | $ a month at 1 M | at 1 B |",
    "|---|---:|---:|---:|---:|---:|---:|---:|",
    ...written.map((line) => {
      const { mix, chunkPuts, snapshotPuts, rows, objectRequests } = line;
      const perMillion = [chunkPuts, snapshotPuts, rows, objectRequests].map((one) => n(one * 1e6));
      const bytes = n(line.chunkBytes + line.snapshotBytes);
      return row([mix, ...perMillion, bytes, n(line.usd1M), n(line.usd1B)]);
    }),
    "",
    `Throw to findable, ${latency.events} events: p50 ${ms(latency.p50Ms)} ms, p99 ${ms(latency.p99Ms)} ms ` +
      `(acknowledged p50 ${ms(latency.acknowledgedP50Ms)} ms); ${latency.lost} not found.`,
    "",
    ...goalsOf({ throughput, written, latency }),
  ];
}

/** @param {Results} results */
function goalsOf({ throughput, written, latency }) {
  const busy = throughput.lines.filter((line) => line.name !== "bare" && line.connections === 32);
  return [
    ...busy.flatMap(({ name, times, perSecond }) => [
      goal(`${name}: CPU of an event, × bare`, times, GOALS.times, times <= GOALS.times),
      goal(`${name}: events a second`, perSecond, GOALS.perSecond, perSecond >= GOALS.perSecond),
    ]),
    ...written.map(({ mix, chunkPuts, snapshotPuts }) => {
      const puts = (chunkPuts + snapshotPuts) * 1e6;
      const isReached = puts <= GOALS.kvWritesPerMillion;
      return goal(`${mix}: KV writes of a million`, puts, GOALS.kvWritesPerMillion, isReached);
    }),
    goal(
      "throw to findable p99, ms",
      latency.p99Ms,
      GOALS.throwToFoundMs,
      latency.p99Ms < GOALS.throwToFoundMs,
    ),
  ];
}

/** @param {string} what @param {number} is @param {number} wanted @param {boolean} isReached */
function goal(what, is, wanted, isReached) {
  const shown = is < 100 ? is.toFixed(1) : n(is);
  return `- ${what}: ${isReached ? "reached" : "not reached"}: ${shown}, wanted ${n(wanted)}`;
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
  return time.toFixed(time < 10 ? 1 : 0);
}
