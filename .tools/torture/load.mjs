// The load: many writers at once, each of which sends a body again until it is acknowledged, and notes what was said. Some
// go away before the answer, some send twice at once, some send again what was acknowledged long ago.

import { setTimeout as sleep } from "node:timers/promises";
import { eventBody, faultOf, idOf, markOf, sessionBody, uploadBody, wordOf } from "./bodies.mjs";
import { chanceOf, isWithin } from "./plan.mjs";

const WRITERS = 48;
/** Of a few faults more comes than is kept, of some all of it. */
const HOT_FAULTS = 50;
const COMMON_FAULTS = 1_000;
const BLOCKED_SITES = 200;
/** Browsers' reports have no id: a try is known again within an interval of this length, and on the other side of its border. */
const INTERVAL_MS = 4_000;
/** Each try of a session has a release of its own, and a day has names for 2,000; the last are for those that are begun. */
const MAX_SESSIONS = 1_950;
const MAX_SESSIONS_BEGUN = 1_700;

/**
 * @param {object} options
 * @param {import("./plan.mjs").Plan} options.plan
 * @param {import("./client.mjs").Client} options.client
 * @param {import("./books.mjs").Books} options.books
 * @param {number} options.perSecond new bodies a second, while the machine keeps up
 */
export function startLoad({ plan, client, books, perSecond }) {
  const { seed } = plan;
  const beganMs = performance.now();
  let nextN = 0;
  let isEnding = false;
  const writers = Promise.all(Array.from({ length: WRITERS }, write));

  async function write() {
    while (!isEnding) {
      const n = nextN++;
      const dueMs = beganMs + (n * 1000) / perSecond;
      const earlyMs = dueMs - performance.now();
      if (earlyMs > 0) await sleep(earlyMs);
      if (isEnding) return;
      await one(n);
    }
  }

  /** @param {number} n */
  async function one(n) {
    const chance = chanceOf(seed, `body ${n}`);
    const kind = chance();
    if (kind < 0.05 && books.sessions.size < MAX_SESSIONS_BEGUN) return session(n, chance);
    if (kind < 0.1) return upload(n, chance);
    if (kind < 0.12) return echo(n, chance);
    await event(n, chance);
  }

  /** @param {number} n @param {() => number} chance */
  async function event(n, chance) {
    const fault = faultAt(n, chance);
    /** @type {import("./books.mjs").EventEntry} */
    const entry = { fault, event: { n, id: idOf(seed, `event ${n}`), fault, atMs: Date.now() } };
    books.events.set(entry.event.id, entry);
    const withSession = chance() < 0.03;
    const isTwin = chance() < 0.02;
    const send = async (/** @type {number} */ attempt) => {
      const release = withSession ? sessionRelease(n, attempt) : undefined;
      const { status, outcomes } = await post(eventBody(seed, entry.event, release), chance);
      if (status !== 200) return false;
      books.tookEvent(entry, outcomes);
      if (release !== undefined) books.sessions.set(release, true);
      return true;
    };
    if (isTwin) await Promise.all([send(0), untilTaken(send, chance)]);
    else await untilTaken(send, chance);
  }

  /** @param {number} n @param {() => number} chance */
  async function session(n, chance) {
    await untilTaken(async (attempt) => {
      const release = sessionRelease(n, attempt);
      if (release === undefined) return true;
      const { status } = await post(sessionBody(release), chance);
      if (status === 200) books.sessions.set(release, true);
      return status === 200;
    }, chance);
  }

  /** @param {number} n @param {() => number} chance */
  async function upload(n, chance) {
    const parts = Array.from({ length: 1 + Math.floor(chance() * 4) }, (_, i) => ({
      mark: markOf(n, i),
      fault: wordOf(Math.floor(BLOCKED_SITES * chance())),
    }));
    const nowMs = Date.now();
    const borderMs = nowMs - (nowMs % INTERVAL_MS);
    const atMs = chance() < 0.5 ? nowMs - 500 * chance() : borderMs - 30 * chance();
    await untilTaken(async () => {
      const sentMs = performance.now();
      const { status, outcomes } = await post(uploadBody(parts, atMs), chance);
      const tookMs = performance.now() - sentMs;
      for (const [i, part] of parts.entries()) books.triedUpload(part, i, tookMs);
      if (status !== 204) return false;
      for (const [i, { mark }] of parts.entries()) books.tookUpload(mark, outcomes[i]);
      return true;
    }, chance);
  }

  /** Sends once more what was acknowledged. @param {number} n @param {() => number} chance */
  async function echo(n, chance) {
    const id = books.acknowledged[Math.floor(chance() * books.acknowledged.length)];
    const entry = books.events.get(id ?? "");
    if (entry === undefined) return event(n, chance);
    books.figures.echoes++;
    const { status, outcomes } = await post(eventBody(seed, entry.event), chance);
    if (status === 200) books.tookEvent(entry, outcomes);
  }

  /** @param {(attempt: number) => Promise<boolean>} send @param {() => number} chance */
  async function untilTaken(send, chance) {
    for (let attempt = 1; !(await send(attempt)); attempt++) {
      books.figures.retries++;
      await sleep(20 + 180 * chance());
    }
  }

  /** @param {string} body @param {() => number} chance */
  async function post(body, chance) {
    books.figures.posts++;
    const leaveAfterMs = !isEnding && chance() < 0.03 ? 20 * chance() : undefined;
    const answer = await client.post(body, { leaveAfterMs });
    if (answer.status === 0) books.figures.unanswered++;
    else if (answer.status >= 300) books.figures.refused++;
    return answer;
  }

  /** The common ones, one that never came before, or the one of a storm. @param {number} n @param {() => number} chance */
  function faultAt(n, chance) {
    const share = chance();
    const storm = isWithin(plan.storms, performance.now() - beganMs);
    if (storm && share < 0.9) return faultOf(0);
    if (share < 0.1) return faultOf(COMMON_FAULTS + n);
    const among = share < 0.5 ? COMMON_FAULTS : HOT_FAULTS;
    return faultOf(Math.floor(among * chance()));
  }

  /** @param {number} n @param {number} attempt */
  function sessionRelease(n, attempt) {
    if (books.sessions.size >= MAX_SESSIONS) return undefined;
    const release = `torture@${n}.${attempt}`;
    books.sessions.set(release, false);
    return release;
  }

  return {
    /** No new bodies; resolves when everything that was begun is acknowledged. */
    async end() {
      isEnding = true;
      await writers;
    },
  };
}
