// The summary of a trial, in a few lines. The last one has the result.

import { formatWhole } from "../command/format-table.ts";
import type { Trial } from "./trial.ts";

export function summarize({
  plan,
  journal,
  record,
  kv,
  host,
  inPut,
  lookups,
  maps,
  copiedMs,
  rebuiltMs,
  verdict,
}: Trial): readonly string[] {
  const { posts, unanswered, refused, retries, echoes } = journal.figures;
  const {
    puts,
    duringFaults,
    refused: refusedPuts,
    quota,
    tooSoon,
    answersLost,
    slow,
  } = kv.figures;
  const acknowledged = journal.events.size + journal.uploads.size;
  const rest =
    copiedMs === null
      ? "it did not finish copying"
      : `${formatSeconds(copiedMs)} until all was copied`;
  const { lost, duplicated, wrong } = verdict;
  return [
    `sent    ${formatWhole(posts)} posts: ${formatWhole(unanswered)} without an answer, ${formatWhole(refused)} refused, ${formatWhole(retries)} sent again, ` +
      `${formatWhole(echoes)} sent again after they were acknowledged; ${formatWhole(journal.sessions.size)} sessions`,
    `KV      ${formatWhole(puts)} puts, ${formatWhole(duringFaults)} of them during faults: ${formatWhole(refusedPuts)} refused, ${formatWhole(quota)} without quota, ${formatWhole(tooSoon)} too soon, ` +
      `${formatWhole(answersLost)} stored without an answer, ${formatWhole(slow)} slow; ` +
      `${formatWhole(kv.reads.all)} reads: ${formatWhole(kv.reads.stale)} old, ${formatWhole(kv.reads.missesKept)} false misses`,
    `chunks  ${formatWhole(record.chunks)} stored, ${rest}; ${formatWhole(verdict.kept)} bodies, ${formatWhole(verdict.own)} reports of Errata's own failures`,
    `lookups ${formatWhole(lookups.asked)} at once, ${formatWhole(lookups.misses)} without a hit at first, ${formatWhole(lookups.late.length)} late; ` +
      `${formatWhole(verdict.followed)} ids followed, ${formatWhole(verdict.foundLate)} only without old reads; ` +
      `${formatWhole(verdict.issues)} issues counted`,
    `maps    ${formatWhole(maps.figures.bundles)} bundles, ${formatWhole(maps.figures.converting)} times answered while they were converted, ` +
      `${formatWhole(maps.figures.retries)} times not answered; ${formatWhole(maps.figures.asked)} frames asked, ${formatWhole(maps.figures.unresolved)} not yet resolved`,
    rebuiltMs === null
      ? "rebuilt the objects were not restored from KV"
      : `rebuilt from KV alone in ${formatSeconds(rebuiltMs)}: compared again`,
    `torture: ${formatWhole(acknowledged)} acknowledged, ${formatWhole(lost.length)} lost, ${formatWhole(duplicated.length)} counted twice, ` +
      `${wrong.length > 0 ? `${formatWhole(wrong.length)} other differences, ` : ""}` +
      `${host.kills} kills (${inPut} during a put), ${formatWhole(refusedPuts + quota)} puts refused, seed ${plan.seed}`,
  ];
}

function formatSeconds(ms: number) {
  return `${(ms / 1000).toFixed(1)} s`;
}
