/**
 * Coalesces the appends of all requests that an isolate handles at the same time: one call to a
 * shard carries the parts of many requests, and each request gets the result of its own part.
 *
 *     request 1 ─▶ append ─▶ call: sent at once, because no other call is under way
 *     request 2 ─▶ append ─┐
 *     request 3 ─▶ append ─┴▶ call: sent when the first one ends, at the latest after `MAX_WAIT_MS`
 *
 * A request must not use the I/O of another request: the runtime cancels it with "Cannot perform
 * I/O on behalf of a different request". Another request may resolve its promise
 * (`handle_cross_request_promise_resolution`, the default since compatibility date 2024-10-14). So
 * the request that opens a call, its leader, does all I/O of the call and resolves one promise per
 * request. This has three consequences:
 *
 * - The leader passes its call to `waitUntil`, because its own client may disconnect.
 * - Each request has a timer of its own. Without one, the runtime regards it as hung, and a leader
 *   that was cancelled would leave it without a result.
 * - A request whose timer ends appends once more, in a new call. The shard stores an id once, and
 *   `ifNew` counts the counters only with a report that is new.
 */

import type { AppendResult } from "../../core/ports/storage-ports.ts";
import type { AppendOutcome, AppendPart } from "../log/log-entries.ts";
import type { LogApi } from "../objects.ts";
import { TimeoutError, withTimeout } from "../with-timeout.ts";

/** Limits of reports and of their characters in a call. A part is never split. */
const MAX_CALL_ENTRIES = 250;
const MAX_CALL_CHARS = 1024 * 1024;
const LATE_MS = 2_000;
const MAX_WAIT_MS = 5;
/** Senders time out earlier. They can send again, because an id counts once. */
const APPEND_TIMEOUT_MS = 10_000;

/** One shard of a project. */
interface AppendTarget {
  /** Unique in the isolate. */
  readonly name: string;
  readonly log: Pick<LogApi, "append">;
}

/** Appends the parts of many requests with few calls. */
export interface AppendCoalescer {
  /** Resolves when the part is durable; rejects if it may not be. */
  append(target: AppendTarget, part: AppendPart): Promise<readonly AppendResult[]>;
}

export interface CoalescerOptions {
  readonly nowMs: () => number;
  /** Continues work after the response. */
  readonly waitUntil?: (work: Promise<unknown>) => void;
  /** Time limit for one append. */
  readonly timeoutMs?: number;
  /** After this time, a request without a result appends once more. */
  readonly lateMs?: number;
  /** How long a call waits for the call before it, at most. */
  readonly maxWaitMs?: number;
}

/** The part of one request, and the promise that the request waits for. */
interface Waiting
  extends Pick<PromiseWithResolvers<readonly AppendResult[]>, "resolve" | "reject"> {
  readonly part: AppendPart;
}

interface Call {
  readonly waiting: Waiting[];
  readonly ended: PromiseWithResolvers<void>;
  entries: number;
  chars: number;
  /** When the call was opened and, after that, when it was sent. */
  sinceMs: number;
  isSent: boolean;
}

interface ShardCalls {
  /** Takes further parts. */
  open?: Call;
  /** The last call that was sent, until it ends. */
  pending?: Call;
}

/** The coalescer of an isolate. */
export function createAppendCoalescer(options: CoalescerOptions): AppendCoalescer {
  const { nowMs, waitUntil, timeoutMs = APPEND_TIMEOUT_MS } = options;
  const { lateMs = LATE_MS, maxWaitMs = MAX_WAIT_MS } = options;
  const shards = new Map<string, ShardCalls>();

  // A call may have lost its leader long before the requests in it append again.
  const hasLeader = (call: Call | undefined): call is Call =>
    call !== undefined && nowMs() - call.sinceMs < lateMs / 2;

  /** Adds a part to the open call, or opens a call and leads it. */
  function join(target: AppendTarget, waiting: Waiting): Call {
    const calls = shards.get(target.name) ?? {};
    shards.set(target.name, calls);
    const { entries } = waiting.part;
    const chars = entries.reduce((sum, { line }) => sum + line.length, 0);
    const fits = (open: Call) =>
      open.entries + entries.length <= MAX_CALL_ENTRIES && open.chars + chars <= MAX_CALL_CHARS;
    const { open } = calls;
    const isOpen = hasLeader(open) && fits(open);
    const call = isOpen ? open : createCall(nowMs());
    call.entries += entries.length;
    call.chars += chars;
    call.waiting.push(waiting);
    if (!isOpen) {
      calls.open = call;
      const led = lead(target, calls, call);
      waitUntil?.(led);
    }
    return call;
  }

  /** Sends a call after the one before it, and settles its parts. Never rejects. */
  async function lead(target: AppendTarget, calls: ShardCalls, call: Call): Promise<void> {
    if (hasLeader(calls.pending))
      await withTimeout(calls.pending.ended.promise, maxWaitMs).catch(() => undefined);
    if (calls.open === call) delete calls.open;
    calls.pending = call;
    call.sinceMs = nowMs();
    call.isSent = true;
    const { waiting } = call;
    try {
      const answer = target.log.append(waiting.map(({ part }) => part));
      const outcomes = await withTimeout(answer, timeoutMs);
      for (const [n, { resolve, reject }] of waiting.entries()) {
        const outcome = outcomes[n];
        if (outcome?.ok) resolve(outcome.value);
        else reject(toError(outcome));
      }
    } catch (error) {
      await sendAlone(target, waiting, error);
    } finally {
      if (calls.pending === call) delete calls.pending;
      if (calls.open === undefined && calls.pending === undefined) shards.delete(target.name);
      call.ended.resolve();
    }
  }

  /**
   * After a failed call, sends each part in a separate call, because one of them may be the cause.
   * An object that is overloaded or does not answer gets no further calls.
   */
  async function sendAlone(target: AppendTarget, waiting: readonly Waiting[], error: unknown) {
    const isFinal = waiting.length === 1 || isOverloaded(error) || error instanceof TimeoutError;
    await Promise.all(
      waiting.map(({ part, resolve, reject }) => {
        const repeated = isFinal ? undefined : toRepeatedPart(part);
        if (repeated === undefined) return reject(error);
        return appendPart(target.log, repeated, timeoutMs).then(resolve, reject);
      }),
    );
  }

  return {
    append(target, part) {
      const { promise, resolve, reject } = Promise.withResolvers<readonly AppendResult[]>();
      const call = join(target, { part, resolve, reject });
      const onTimeout = () => reject(new TimeoutError(timeoutMs));
      const onLate = () => {
        timer = setTimeout(onTimeout, timeoutMs - lateMs);
        const repeated = call.isSent ? toRepeatedPart(part) : part;
        if (repeated !== undefined) join(target, { part: repeated, resolve, reject });
      };
      let timer =
        lateMs < timeoutMs ? setTimeout(onLate, lateMs) : setTimeout(onTimeout, timeoutMs);
      return promise.finally(() => clearTimeout(timer));
    },
  };
}

/** Appends one part in a separate call. Rejects if it may not be durable. */
export async function appendPart(
  log: AppendTarget["log"],
  part: AppendPart,
  timeoutMs: number,
): Promise<readonly AppendResult[]> {
  const [outcome] = await withTimeout(log.append([part]), timeoutMs);
  if (outcome?.ok) return outcome.value;
  throw toError(outcome);
}

function createCall(nowMs: number): Call {
  const ended = Promise.withResolvers<void>();
  return { waiting: [], ended, entries: 0, chars: 0, sinceMs: nowMs, isSent: false };
}

/** The part to repeat; undefined if counters without an id could count twice. */
function toRepeatedPart(part: AppendPart): AppendPart | undefined {
  if (part.entries.length > 0) return { ...part, ifNew: true };
  return part.counters.every(([, , dedupeId]) => dedupeId !== undefined) ? part : undefined;
}

function toError(outcome: AppendOutcome | undefined): Error {
  return new Error(outcome?.ok === false ? outcome.cause : "the shard returned no outcome");
}

function isOverloaded(error: unknown): boolean {
  return error instanceof Error && "overloaded" in error && error.overloaded === true;
}
