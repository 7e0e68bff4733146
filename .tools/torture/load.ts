// The load: many writers that resend each body until it is acknowledged, and record the responses.
// Some disconnect before the response, some send a body twice at once, some repeat an event that
// was acknowledged long before.

import { setTimeout as sleep } from "node:timers/promises";
import {
  createEventBody,
  createSessionBody,
  createUploadBody,
  type Event,
  type Part,
} from "../reports/bodies.ts";
import { createId, createMarker, createWord, nameFault } from "../reports/names.ts";
import type { Client, Outcome } from "../rig/client.ts";
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
/** Attempts that are further apart than this, by either clock, count as two reports. */
const EXACT_WITHIN_MS = 1_900;
/**
 * Each attempt of a session has a different release, and a day has room for 2,000. The last ones
 * are for sessions in progress.
 */
const MAX_SESSIONS = 1_950;
const MAX_SESSIONS_BEGUN = 1_700;

/**
 * The kind of acknowledgement. "accepted": the body is stored. "counted": counted without its body,
 * in a storm. "duplicate": stored before, with or without its body.
 */
type End = "accepted" | "counted" | "duplicate";

interface EventEntry {
  event: Event;
  fault: string;
  /** Set when the event is acknowledged. */
  end?: End;
  digest?: string;
}

/** A report of a browser's upload. It has no id before it is acknowledged. */
interface UploadEntry {
  fault: string;
  sent: number;
  /** True if all attempts were close enough to count as one report. */
  exact: boolean;
  id?: string;
  digest?: string;
  end?: End;
}

export type Journal = ReturnType<typeof openJournal>;

/** The journal of the senders: all requests and their responses, for comparison with Errata. */
export function openJournal() {
  /** The events by id. */
  const events: Map<string, EventEntry> = new Map();
  /** The reports of uploads by marker. */
  const uploads: Map<string, UploadEntry> = new Map();
  /** The sessions by release, which is different for each attempt. True when acknowledged. */
  const sessions: Map<string, boolean> = new Map();
  /** Ids in the order of their acknowledgements. */
  const acknowledged: string[] = [];
  /** Responses that contradict each other. */
  const contradictions: string[] = [];
  const figures = { posts: 0, unanswered: 0, refused: 0, retries: 0, echoes: 0 };

  /** Undefined for a response that a report must not get. */
  function findEnd(what: string, outcome: Outcome | undefined): End | undefined {
    if (outcome?.outcome === "accepted") return outcome.isDuplicate ? "duplicate" : "accepted";
    if (outcome?.outcome === "counted") return "counted";
    contradictions.push(`${what} was answered with "${outcome?.outcome}"`);
    return undefined;
  }

  return {
    ...{ events, uploads, sessions, acknowledged, contradictions, figures },

    /** Records the response to an event. */
    recordEvent(entry: EventEntry, outcomes: readonly Outcome[]) {
      const { id } = entry.event;
      const outcome = outcomes.find(({ item }) => item === "event");
      const end = findEnd(id, outcome);
      if (outcome === undefined || end === undefined) return;
      const { end: before = "duplicate", digest = outcome.digest } = entry;
      if (outcome.id !== "" && outcome.id !== id)
        contradictions.push(`${id} was acknowledged as ${outcome.id}`);
      if (end !== "duplicate" && before !== "duplicate")
        contradictions.push(`${id} was ${before}, and then ${end} as if it were new`);
      if (outcome.digest !== "" && digest !== "" && outcome.digest !== digest)
        contradictions.push(`${id} was in ${digest}, and then in ${outcome.digest}`);
      if (entry.end === undefined) acknowledged.push(id);
      entry.end = before === "duplicate" ? end : before;
      entry.digest = outcome.digest || digest;
    },

    /** Records an attempt to send the reports of an upload. */
    recordAttempt(parts: readonly Part[], tookMs: number) {
      for (const [i, { marker, fault }] of parts.entries()) {
        const entry = uploads.get(marker) ?? { fault: `${i % 2} ${fault}`, sent: 0, exact: true };
        entry.sent++;
        if (tookMs > EXACT_WITHIN_MS) entry.exact = false;
        uploads.set(marker, entry);
      }
    },

    /** Records the response to the reports of an upload. */
    recordUpload(parts: readonly Part[], outcomes: readonly Outcome[]) {
      for (const [i, { marker }] of parts.entries()) {
        const entry = uploads.get(marker);
        const outcome = outcomes[i];
        const end = findEnd(marker, outcome);
        if (entry === undefined || outcome === undefined || end === undefined) continue;
        Object.assign(entry, { end, digest: outcome.digest, id: outcome.id });
        if (outcome.id !== "") acknowledged.push(outcome.id);
      }
    },
  };
}

/** Starts to send `perSecond` new bodies a second, if the machine is fast enough. */
export function startLoad(plan: Plan, perSecond: number, client: Client, journal: Journal) {
  const { seed } = plan;
  const beganMs = performance.now();
  let nextN = 0;
  let isEnding = false;
  const writers = Promise.all(Array.from({ length: WRITERS }, write));

  async function write() {
    while (!isEnding) {
      const n = nextN++;
      const earlyMs = beganMs + (n * 1000) / perSecond - performance.now();
      if (earlyMs > 0) await sleep(earlyMs);
      if (!isEnding) await sendBody(n, createChance(seed, `body ${n}`));
    }
  }

  async function sendBody(n: number, chance: () => number) {
    const kind = chance();
    if (kind < 0.05 && journal.sessions.size < MAX_SESSIONS_BEGUN) return session(n, chance);
    if (kind < 0.1) return upload(n, chance);
    if (kind < 0.12) return echo(n, chance);
    await event(n, chance);
  }

  async function event(n: number, chance: () => number) {
    const fault = chooseFault(n, chance);
    const event = { n, id: createId(seed, `event ${n}`), fault, atMs: Date.now() };
    const entry: EventEntry = { event, fault };
    journal.events.set(event.id, entry);
    const withSession = chance() < 0.03;
    const isTwin = chance() < 0.02;
    const send = async (attempt: number) => {
      const release = withSession ? beginSession(n, attempt) : undefined;
      const { status, outcomes } = await post(createEventBody(seed, event, release), chance);
      if (status !== 200) return false;
      journal.recordEvent(entry, outcomes);
      if (release !== undefined) journal.sessions.set(release, true);
      return true;
    };
    await Promise.all([...(isTwin ? [send(0)] : []), untilTaken(send, chance)]);
  }

  async function session(n: number, chance: () => number) {
    await untilTaken(async (attempt) => {
      const release = beginSession(n, attempt);
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
      journal.recordAttempt(parts, performance.now() - sentMs);
      if (status === 204) journal.recordUpload(parts, outcomes);
      return status === 204;
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
    return nameFault(Math.floor((share < 0.5 ? COMMON_FAULTS : HOT_FAULTS) * chance()));
  }

  /** The release of an attempt; undefined if the day has no room for it. */
  function beginSession(n: number, attempt: number) {
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
