// The summary of a trial, in a few lines. The last one has the result.

import type { Trial } from "./trial.ts";

export function summaryOf({
  plan,
  journal,
  record,
  kv,
  host,
  inPut,
  desk,
  settledMs,
  rebuiltMs,
  verdict,
}: Trial): readonly string[] {
  const { posts, unanswered, refused, retries, echoes } = journal.figures;
  const { puts, underFire, refused: refusedPuts, quota, tooSoon, answersLost, slow } = kv.figures;
  const acknowledged = journal.events.size + journal.uploads.size;
  const rest =
    settledMs === null ? "it did not come to rest" : `${seconds(settledMs)} until all was copied`;
  const { lost, twice, wrong } = verdict;
  return [
    `sent    ${n(posts)} posts: ${n(unanswered)} without an answer, ${n(refused)} refused, ${n(retries)} sent again, ` +
      `${n(echoes)} sent again after they were acknowledged; ${n(journal.sessions.size)} sessions`,
    `KV      ${n(puts)} puts, ${n(underFire)} of them under fire: ${n(refusedPuts)} refused, ${n(quota)} without quota, ${n(tooSoon)} too soon, ` +
      `${n(answersLost)} stored without an answer, ${n(slow)} slow; ` +
      `${n(kv.reads.all)} reads: ${n(kv.reads.stale)} old, ${n(kv.reads.missesKept)} misses that were none`,
    `record  ${n(record.chunks)} chunks, ${rest}; ${n(verdict.kept)} bodies, ${n(verdict.own)} failures of Errata's own`,
    `desk    ${n(desk.asked)} looked up at once, ${n(desk.vain)} at first in vain, ${n(desk.late.length)} late; ` +
      `${n(verdict.followed)} ids followed, ${n(verdict.foundLate)} only without old reads; ` +
      `${n(verdict.issues)} issues counted`,
    rebuiltMs === null
      ? "rebuilt the objects did not come back from KV"
      : `rebuilt from KV alone in ${seconds(rebuiltMs)}: compared again`,
    `torture: ${n(acknowledged)} acknowledged, ${n(lost.length)} lost, ${n(twice.length)} counted twice, ` +
      `${wrong.length > 0 ? `${n(wrong.length)} wrong otherwise, ` : ""}` +
      `${host.kills} kills (${inPut} in the midst of a put), ${n(refusedPuts + quota)} puts refused, seed ${plan.seed}`,
  ];
}

function n(count: number) {
  return count.toLocaleString("en-GB");
}

function seconds(ms: number) {
  return `${(ms / 1000).toFixed(1)} s`;
}
