/**
 * One invocation of a Worker, and how a failure in it is named. An isolate runs many invocations at
 * once, and none can wait for the requests of another, so each has an instance of its own.
 */

import { isDigest } from "../core/grouping/parse-digest.ts";
import { readProperty, readString } from "../core/read-property.ts";
import type { Errata, ErrataOptions, Facts, Named } from "./server.ts";
import { createErrata, isFailure } from "./server.ts";
import { createStorage } from "./worker-runtime.ts";

/** Parameters of an invocation. */
interface InvocationSetup {
  /** The object whose method runs. Its calls to itself are no invocations of their own. */
  readonly owner: object;
  readonly options: ErrataOptions & { readonly propagate?: boolean };
  readonly trace: string;
  readonly facts: Facts;
  /** How often the alarm that runs has failed before. */
  readonly retries?: number;
  /** Keeps the runtime alive until the reports are sent. */
  readonly waitUntil: (task: Promise<unknown>) => void;
}

const storage = createStorage<Invocation>();

/** True if everything in an invocation can find it. */
export const canFindInvocation = storage !== undefined;

/** The invocation that runs. */
export function getInvocation(): Invocation | undefined {
  return storage?.getStore();
}

export class Invocation {
  readonly setup: InvocationSetup;
  /** The last failure that was named. */
  named: Named | undefined;
  #errata: Errata | undefined;
  /** The digest of the error that is being named, if another Worker or object has named it. */
  #carried: string | undefined;

  constructor(setup: InvocationSetup) {
    this.setup = setup;
  }

  get errata(): Errata {
    const { options } = this.setup;
    this.#errata ??= createErrata({
      ...options,
      beforeSend: (report) => {
        const carried = this.#carried && { digest: this.#carried, isCarried: true };
        const linked = { ...report, ...carried };
        return options.beforeSend === undefined ? linked : options.beforeSend(linked);
      },
    });
    return this.#errata;
  }

  /** Calls a handler. What it throws is named, and thrown again. */
  run<T>(call: () => T): T {
    const fail = (thrown: unknown): never => {
      if (isFailure(thrown) && !isGone(thrown, this.setup.facts.request)) this.#nameThrown(thrown);
      throw thrown;
    };
    const guarded = (): T => {
      try {
        const result = call();
        return result instanceof Promise ? (result.catch(fail) as T) : result;
      } catch (thrown) {
        return fail(thrown);
      }
    };
    return storage === undefined ? guarded() : storage.run(this, guarded);
  }

  /** Names a failure. An error that a Worker or an object behind this one named keeps its digest. */
  name(thrown: unknown, facts: Facts = {}, logged = thrown): Named {
    const { facts: own, trace, waitUntil } = this.setup;
    const isKnown = this.errata.find(thrown, this) !== undefined;
    this.#carried = findCarriedDigest(thrown);
    const all = { trace, ...own, ...facts, tags: { ...own.tags, ...facts.tags } };
    const named = this.errata.name(thrown, all, { scope: this, waitUntil });
    const digest = this.#carried ?? named.digest;
    this.named = { ...named, digest, receiptUrl: this.errata.toReceiptUrl(digest) };
    if (!isKnown) announce(logged, this.named);
    return this.named;
  }

  /** An alarm that fails again and again is reported once more, as what it is, and then no more. */
  #nameThrown(thrown: unknown): void {
    const { facts, retries = 0 } = this.setup;
    if (retries > RUNAWAY_RETRIES) return;
    if (retries < RUNAWAY_RETRIES) this.name(thrown, facts.request && { status: 500 });
    else this.name(createRunawayAlarm(thrown, facts.tags?.entrypoint), {}, thrown);
  }
}

const RUNAWAY_RETRIES = 2;

/** The message is that of `ingest/tail/loops.ts`. */
function createRunawayAlarm(cause: unknown, owner = "a Durable Object"): Error {
  const message = `the alarm of ${owner} fails and is retried again and again`;
  const alarm = new Error(message, { cause });
  return Object.assign(alarm, { name: "RunawayAlarm", stack: readString(cause, "stack") });
}

/** The visitor left: nobody waits for the response. */
function isGone(thrown: unknown, request: unknown): boolean {
  const isAborted = readProperty(readProperty(request, "signal"), "aborted") === true;
  return isAborted && readString(thrown, "name") === "AbortError";
}

/** The digest that an error brings from an object or from another Worker. */
function findCarriedDigest(thrown: unknown): string | undefined {
  const digest = readProperty(thrown, "remote") === true && readString(thrown, "errataDigest");
  return digest && isDigest(digest) ? digest : undefined;
}

/**
 * Writes the digest onto the error, whose members reach the caller in another Worker, and into the
 * log, where a tail consumer recognizes the error and does not report it again.
 */
function announce(thrown: unknown, { digest, id }: Named): void {
  const isError = thrown instanceof Error;
  if (isError) Reflect.set(thrown, "errataDigest", digest);
  const { name: type, message } = isError ? thrown : new Error(String(thrown));
  console.error({ digest, report: id, type, message });
}
