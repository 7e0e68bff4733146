// The load: many writers at once, each of which sends a body again until it is acknowledged, and notes what was said. Some
// go away before the answer, some send twice at once, some send again what was acknowledged long ago.

import { setTimeout as sleep } from "node:timers/promises";
import { eventBody, faultOf, idOf, markOf, sessionBody, uploadBody, wordOf } from "./bodies.ts";
import type { Books, EventEntry } from "./books.ts";
import type { Client } from "./client.ts";
import type { Plan } from "./plan.ts";
import { chanceOf, isWithin } from "./plan.ts";

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

export function startLoad({
  plan,
  client,
  books,
  perSecond,
}: {
  plan: Plan;
  client: Client;
  books: Books;
  /** new bodies a second, while the machine keeps up */
  perSecond: number;
}) {
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

  async function one(n: number) {
    const chance = chanceOf(seed, `body ${n}`);
    const kind = chance();
    if (kind < 0.05 && books.sessions.size < MAX_SESSIONS_BEGUN) return session(n, chance);
    if (kind < 0.1) return upload(n, chance);
    if (kind < 0.12) return echo(n, chance);
    await event(n, chance);
  }

  async function event(n: number, chance: () => number) {
    const fault = faultAt(n, chance);
    const entry: EventEntry = {
      fault,
      event: { n, id: idOf(seed, `event ${n}`), fault, atMs: Date.now() },
    };
    books.events.set(entry.event.id, entry);
    const withSession = chance() < 0.03;
    const isTwin = chance() < 0.02;
    const send = async (attempt: number) => {
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

  async function session(n: number, chance: () => number) {
    await untilTaken(async (attempt) => {
      const release = sessionRelease(n, attempt);
      if (release === undefined) return true;
      const { status } = await post(sessionBody(release), chance);
      if (status === 200) books.sessions.set(release, true);
      return status === 200;
    }, chance);
  }

  async function upload(n: number, chance: () => number) {
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

  /** Sends once more what was acknowledged. */
  async function echo(n: number, chance: () => number) {
    const id = books.acknowledged[Math.floor(chance() * books.acknowledged.length)];
    const entry = books.events.get(id ?? "");
    if (entry === undefined) return event(n, chance);
    books.figures.echoes++;
    const { status, outcomes } = await post(eventBody(seed, entry.event), chance);
    if (status === 200) books.tookEvent(entry, outcomes);
  }

  async function untilTaken(send: (attempt: number) => Promise<boolean>, chance: () => number) {
    for (let attempt = 1; !(await send(attempt)); attempt++) {
      books.figures.retries++;
      await sleep(20 + 180 * chance());
    }
  }

  async function post(body: string, chance: () => number) {
    books.figures.posts++;
    const leaveAfterMs = !isEnding && chance() < 0.03 ? 20 * chance() : undefined;
    const answer = await client.post(body, { leaveAfterMs });
    if (answer.status === 0) books.figures.unanswered++;
    else if (answer.status >= 300) books.figures.refused++;
    return answer;
  }

  /** The common ones, one that never came before, or the one of a storm. */
  function faultAt(n: number, chance: () => number) {
    const share = chance();
    const storm = isWithin(plan.storms, performance.now() - beganMs);
    if (storm && share < 0.9) return faultOf(0);
    if (share < 0.1) return faultOf(COMMON_FAULTS + n);
    const among = share < 0.5 ? COMMON_FAULTS : HOT_FAULTS;
    return faultOf(Math.floor(among * chance()));
  }

  function sessionRelease(n: number, attempt: number) {
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
