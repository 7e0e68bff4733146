// The summary of a trial, in a few lines. The last one has the result.

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
  const { puts, underFire, refused: refusedPuts, quota, tooSoon, answersLost, slow } = kv.figures;
  const acknowledged = journal.events.size + journal.uploads.size;
  const rest =
    copiedMs === null ? "it did not finish copying" : `${seconds(copiedMs)} until all was copied`;
  const { lost, duplicated, wrong } = verdict;
  return [
    `sent    ${n(posts)} posts: ${n(unanswered)} without an answer, ${n(refused)} refused, ${n(retries)} sent again, ` +
      `${n(echoes)} sent again after they were acknowledged; ${n(journal.sessions.size)} sessions`,
    `KV      ${n(puts)} puts, ${n(underFire)} of them during faults: ${n(refusedPuts)} refused, ${n(quota)} without quota, ${n(tooSoon)} too soon, ` +
      `${n(answersLost)} stored without an answer, ${n(slow)} slow; ` +
      `${n(kv.reads.all)} reads: ${n(kv.reads.stale)} old, ${n(kv.reads.missesKept)} false misses`,
    `chunks  ${n(record.chunks)} stored, ${rest}; ${n(verdict.kept)} bodies, ${n(verdict.own)} failures of Errata's own`,
    `lookups ${n(lookups.asked)} at once, ${n(lookups.misses)} without a hit at first, ${n(lookups.late.length)} late; ` +
      `${n(verdict.followed)} ids followed, ${n(verdict.foundLate)} only without old reads; ` +
      `${n(verdict.issues)} issues counted`,
    `maps    ${n(maps.figures.bundles)} bundles, ${n(maps.figures.converting)} times answered while they were converted, ` +
      `${n(maps.figures.retries)} times not answered; ${n(maps.figures.asked)} frames asked, ${n(maps.figures.unresolved)} not yet resolved`,
    rebuiltMs === null
      ? "rebuilt the objects did not come back from KV"
      : `rebuilt from KV alone in ${seconds(rebuiltMs)}: compared again`,
    `torture: ${n(acknowledged)} acknowledged, ${n(lost.length)} lost, ${n(duplicated.length)} counted twice, ` +
      `${wrong.length > 0 ? `${n(wrong.length)} wrong otherwise, ` : ""}` +
      `${host.kills} kills (${inPut} during a put), ${n(refusedPuts + quota)} puts refused, seed ${plan.seed}`,
  ];
}

function n(count: number) {
  return count.toLocaleString("en-GB");
}

function seconds(ms: number) {
  return `${(ms / 1000).toFixed(1)} s`;
}
