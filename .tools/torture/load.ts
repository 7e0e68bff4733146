// The load: many writers that resend each body until it is acknowledged, and record the responses.
// Some disconnect before the response, some send a body twice at once, some repeat an event that
// was acknowledged long before.

import { setTimeout as sleep } from "node:timers/promises";
import { createEventBody, createSessionBody, createUploadBody } from "../reports/bodies.ts";
import { createId, createMarker, createWord, nameFault } from "../reports/names.ts";
import type { Evidence } from "./findings.ts";
import type { EventEntry } from "./journal.ts";
import { createChance, isWithin, type Plan } from "./plan.ts";

const WRITERS = 48;
/**
 * The frequent errors get more reports than are kept; all reports of the other known ones are kept.
 */
const HOT_FAULTS = 50;
const COMMON_FAULTS = 1_000;
const BLOCKED_SITES = 200;
/**
 * Browser reports have no id. Repeats are recognized within an interval of this length and across
 * its border.
 */
const INTERVAL_MS = 4_000;
/**
 * Each attempt of a session has a different release, and a day has room for 2,000. The last ones
 * are for sessions in progress.
 */
const MAX_SESSIONS = 1_950;
const MAX_SESSIONS_BEGUN = 1_700;

/** Starts to send `perSecond` new bodies a second, if the machine is fast enough. */
export function startLoad(
  plan: Plan,
  perSecond: number,
  { client, journal }: Pick<Evidence, "client" | "journal">,
) {
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
      await sendBody(n);
    }
  }

  async function sendBody(n: number) {
    const chance = createChance(seed, `body ${n}`);
    const kind = chance();
    if (kind < 0.05 && journal.sessions.size < MAX_SESSIONS_BEGUN) return session(n, chance);
    if (kind < 0.1) return upload(n, chance);
    if (kind < 0.12) return echo(n, chance);
    await event(n, chance);
  }

  async function event(n: number, chance: () => number) {
    const fault = chooseFault(n, chance);
    const entry: EventEntry = {
      fault,
      event: { n, id: createId(seed, `event ${n}`), fault, atMs: Date.now() },
    };
    journal.events.set(entry.event.id, entry);
    const withSession = chance() < 0.03;
    const isTwin = chance() < 0.02;
    const send = async (attempt: number) => {
      const release = withSession ? sessionRelease(n, attempt) : undefined;
      const { status, outcomes } = await post(createEventBody(seed, entry.event, release), chance);
      if (status !== 200) return false;
      journal.recordEvent(entry, outcomes);
      if (release !== undefined) journal.sessions.set(release, true);
      return true;
    };
    if (isTwin) await Promise.all([send(0), untilTaken(send, chance)]);
    else await untilTaken(send, chance);
  }

  async function session(n: number, chance: () => number) {
    await untilTaken(async (attempt) => {
      const release = sessionRelease(n, attempt);
      if (release === undefined) return true;
      const { status } = await post(createSessionBody(release), chance);
      if (status === 200) journal.sessions.set(release, true);
      return status === 200;
    }, chance);
  }

  async function upload(n: number, chance: () => number) {
    const parts = Array.from({ length: 1 + Math.floor(chance() * 4) }, (_, i) => ({
      marker: createMarker(n, i),
      fault: createWord(Math.floor(BLOCKED_SITES * chance())),
    }));
    const nowMs = Date.now();
    const borderMs = nowMs - (nowMs % INTERVAL_MS);
    const atMs = chance() < 0.5 ? nowMs - 500 * chance() : borderMs - 30 * chance();
    await untilTaken(async () => {
      const sentMs = performance.now();
      const { status, outcomes } = await post(createUploadBody(parts, atMs), chance);
      const tookMs = performance.now() - sentMs;
      for (const [i, part] of parts.entries()) journal.recordUploadAttempt(part, i, tookMs);
      if (status !== 204) return false;
      for (const [i, { marker }] of parts.entries()) journal.recordUpload(marker, outcomes[i]);
      return true;
    }, chance);
  }

  /** Sends an acknowledged event again. */
  async function echo(n: number, chance: () => number) {
    const id = journal.acknowledged[Math.floor(chance() * journal.acknowledged.length)];
    const entry = journal.events.get(id ?? "");
    if (entry === undefined) return event(n, chance);
    journal.figures.echoes++;
    const { status, outcomes } = await post(createEventBody(seed, entry.event), chance);
    if (status === 200) journal.recordEvent(entry, outcomes);
  }

  async function untilTaken(send: (attempt: number) => Promise<boolean>, chance: () => number) {
    for (let attempt = 1; !(await send(attempt)); attempt++) {
      journal.figures.retries++;
      await sleep(20 + 180 * chance());
    }
  }

  async function post(body: string, chance: () => number) {
    journal.figures.posts++;
    const leaveAfterMs = !isEnding && chance() < 0.03 ? 20 * chance() : undefined;
    const answer = await client.post(body, { leaveAfterMs });
    if (answer.status === 0) journal.figures.unanswered++;
    else if (answer.status >= 300) journal.figures.refused++;
    return answer;
  }

  /** A frequent, known or new error, or that of a storm. */
  function chooseFault(n: number, chance: () => number) {
    const share = chance();
    const storm = isWithin(plan.storms, performance.now() - beganMs);
    if (storm && share < 0.9) return nameFault(0);
    if (share < 0.1) return nameFault(COMMON_FAULTS + n);
    const among = share < 0.5 ? COMMON_FAULTS : HOT_FAULTS;
    return nameFault(Math.floor(among * chance()));
  }

  function sessionRelease(n: number, attempt: number) {
    if (journal.sessions.size >= MAX_SESSIONS) return undefined;
    const release = `torture@${n}.${attempt}`;
    journal.sessions.set(release, false);
    return release;
  }

  return {
    /** Sends no new bodies. Resolves when all bodies in progress are acknowledged. */
    async end() {
      isEnding = true;
      await writers;
    },
  };
}
