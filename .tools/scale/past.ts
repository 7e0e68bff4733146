// Gives issues the number of reports that they have in a large project, as rollups of an import.
// Each report of an issue with few reports moves it in the lists that are sorted by counts; with
// many reports it seldom moves.

import { createEvent, type Known } from "../reports/spread-events.ts";
import type { Running } from "../rig/store.ts";

const PARALLEL = 32;
/** A full HyperLogLog sketch (src/core/hyperloglog.ts) of about 100,000 users. */
const MANY_USERS = "9".repeat(256);

/** Adds `occurrences` to the count of each issue of `ask`. Resolves to the number of issues. */
export async function addPast(running: Running, ask: Known, occurrences: number): Promise<number> {
  const { client, port } = running;
  const digests: Set<string> = new Set();
  const past = { ...ask, label: `${ask.label} past` };
  // The issues of consecutive events are evenly spread, so twice as many events reach all issues.
  for (let n = 0; n < 2 * ask.issues; n += PARALLEL) {
    const events = Array.from({ length: PARALLEL }, (_, i) => createEvent(past, n + i));
    const answers = await Promise.all(events.map(({ body }) => client.post(body)));
    for (const { digest } of answers.flatMap(({ outcomes }) => outcomes)) digests.add(digest);
  }
  const lines: string[] = [];
  for (const digest of digests) {
    const { latestReports } = await client.readJson(`/d/${digest}`);
    const { position: _, tags: _tags, traceId: _trace, ...summary } = latestReports[0];
    const rollup = { summary: { ...summary, userSketch: MANY_USERS }, occurrences };
    const id = summary.id.split("").reverse().join("");
    lines.push(JSON.stringify({ rollup: 1, ...rollup, lastAtMs: summary.atMs, ids: [id] }));
  }
  const body = `${lines.join("\n")}\n`;
  const response = await fetch(`http://127.0.0.1:${port}/import`, { method: "POST", body });
  if (!response.ok) throw new Error(`The import was answered ${response.status}.`);
  return digests.size;
}
