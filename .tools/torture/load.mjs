// The load: many writers at once, each of which sends a body again until it is acknowledged, and notes what was said. Some
// go away before the answer, some send twice at once, some send again what was acknowledged long ago.

import { setTimeout as sleep } from "node:timers/promises";
import { eventBody, faultOf, idOf, markOf, sessionBody, uploadBody } from "./bodies.mjs";
import { chanceOf, isWithin } from "./plan.mjs";

const WRITERS = 48;
const COMMON_FAULTS = 150;
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
    const entry = { event: { n, id: idOf(seed, `event ${n}`), fault, atMs: Date.now() } };
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
    const count = 1 + Math.floor(chance() * 4);
    const atMs = Date.now() - Math.floor(chance() * 500);
    const marks = Array.from({ length: count }, (_, i) => markOf(n, i));
    await untilTaken(async () => {
      const sentMs = performance.now();
      const { status, outcomes } = await post(uploadBody(n, count, atMs), chance);
      for (const mark of marks) books.triedUpload(mark, performance.now() - sentMs);
      if (status !== 204) return false;
      for (const [i, mark] of marks.entries()) books.tookUpload(mark, outcomes[i]);
      return true;
    }, chance);
  }

  /** Sends once more what was acknowledged. @param {number} n @param {() => number} chance */
  async function echo(n, chance) {
    const id = books.acknowledged[Math.floor(chance() * books.reports)];
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
    if (storm && share < 0.9) return faultOf(COMMON_FAULTS);
    if (share < 0.08) return faultOf(COMMON_FAULTS + 1 + n);
    return faultOf(Math.floor(COMMON_FAULTS * chance() ** 3));
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
