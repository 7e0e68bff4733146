/**
 * `errata/server`: gives every failure on a server a digest at once, and reports it. Runs in
 * Node.js, workerd, Deno, Bun and edge runtimes.
 */

import { type NewClaims, signPageToken, signPageTokenNow } from "../auth/page-token-hmac.ts";
import { isControlFlow } from "../core/control-flow/control-flow.ts";
import { toHex } from "../core/hex.ts";
import { MemoCache } from "../core/memo-cache.ts";
import { hasProperties } from "../core/read-property.ts";
import { type TokenScope, toPolicyHash } from "../core/trust/page-token-format.ts";
import { parseDsn } from "./dsn.ts";
import { SendQueue, type UnsentRequest } from "./send-queue.ts";
import { hmacSha256, sha256 } from "./sha256.ts";
import { SERVER } from "./shown-digest.ts";
import { createWireReport, type Facts, type WireReport } from "./wire-report.ts";

export type { UnsentRequest } from "./send-queue.ts";
export type { Facts, RequestFacts, WireReport } from "./wire-report.ts";

/** Configuration. Each of the first three is read from its environment variable unless given. */
export interface ErrataOptions {
  /** `ERRATA_DSN`: `https://errata_server_…@errata.example/1`. Without it nothing is sent. */
  readonly dsn?: string | undefined;
  /** `ERRATA_RELEASE`. */
  readonly release?: string | undefined;
  /** `ERRATA_ENVIRONMENT`. */
  readonly environment?: string | undefined;
  /** Changes a report before it is sent; null drops it. A function that throws changes nothing. */
  readonly beforeSend?: ((report: WireReport) => WireReport | null) | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly nowMs?: (() => number) | undefined;
}

/** What a visitor is shown of a failure. */
export interface Named {
  /** `7F3K-Q2M9`. */
  readonly digest: string;
  /** The report's id, 32 hexadecimal digits. */
  readonly id: string;
  /** The page that tells a visitor whether the error is known; undefined without a DSN. */
  readonly receiptUrl?: string | undefined;
}

/** How a caller identifies a failure, besides its facts. */
export interface NameOptions {
  /** For a thrown text or number, which has no identity: the request, or another object. */
  readonly scope?: object | undefined;
  /** Keeps the runtime alive until the report is sent. */
  readonly waitUntil?: ((sending: Promise<unknown>) => void) | undefined;
}

/** The page that a render serves. */
export interface ServedPage {
  /** 32 hexadecimal digits. */
  readonly trace: string;
  /** Such as `https://shop.example`. */
  readonly origin: string;
  /** Many visitors get the page from a cache. */
  readonly isShared?: boolean;
  /** The page's `Content-Security-Policy`, if it has one policy. */
  readonly policy?: string | undefined;
}

/** Names and sends the failures of one application. */
export interface Errata {
  /**
   * The digest of a thrown value of any type, which is reported once. Synchronous. Never throws.
   * Every call with the same object returns the same digest.
   */
  readonly name: (thrown: unknown, facts?: Facts, options?: NameOptions) => Named;
  /** The digest that a value already has. */
  readonly find: (thrown: unknown, scope?: object) => Named | undefined;
  readonly toReceiptUrl: (digest: string) => string | undefined;
  /** A page token for the reports of a page; undefined without a DSN. Never rejects. */
  readonly sign: (page: ServedPage) => Promise<string | undefined>;
  /** The same at once, for a server whose headers do not wait. Never throws. */
  readonly signNow: (page: ServedPage) => string | undefined;
  /** Resolves when everything that can be sent is sent. Never rejects. */
  readonly flush: () => Promise<void>;
  /** Takes what is not sent yet. For a process that ends before it can wait for `flush`. */
  readonly takeRequest: () => UnsentRequest | undefined;
  /** Reports that could not be sent. */
  readonly lostCount: number;
}

/**
 * False for a thrown value with which a framework redirects, answers "not found" or stops a render.
 * It needs no digest.
 */
export function isFailure(thrown: unknown): boolean {
  return !isControlFlow(thrown);
}

/** Creates an instance. Most applications use that of the environment: `getErrata`. */
export function createErrata(options: ErrataOptions = {}): Errata {
  return new ErrataClient(options);
}

/** All bundles of an application use one instance, so that an error has one digest. */
const shared = globalThis as { [SERVER]?: Errata };

/**
 * The instance of the application, which the environment variables configure. In runtimes that give
 * the variables to each request instead, the first call needs them.
 */
export function getErrata(variables: Readonly<Record<string, unknown>> = {}): Errata {
  shared[SERVER] ??= createErrata({
    dsn: toText(variables.ERRATA_DSN),
    release: toText(variables.ERRATA_RELEASE),
    environment: toText(variables.ERRATA_ENVIRONMENT),
  });
  return shared[SERVER];
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Configures the instance of the application. Call it before the first request. */
export function configureErrata(options: ErrataOptions): Errata {
  shared[SERVER] = createErrata(options);
  return shared[SERVER];
}

const MAX_POLICIES = 100;

class ErrataClient implements Errata {
  readonly #options: ErrataOptions;
  readonly #dsn: ReturnType<typeof parseDsn>;
  readonly #queue: SendQueue;
  readonly #names = new WeakMap<object, Named>();
  /** Names of values without an identity, by scope. */
  readonly #scopedNames = new WeakMap<object, Map<unknown, Named>>();
  readonly #nowMs: () => number;
  #keyHash: string | undefined;
  /** A policy with a nonce is new in each view. */
  readonly #policyHashes = new MemoCache<number>(MAX_POLICIES);

  constructor(options: ErrataOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? Date.now;
    const text = options.dsn ?? readVariable("ERRATA_DSN");
    this.#dsn = parseDsn(text);
    if (text && this.#dsn === undefined)
      console.warn("errata: the DSN must look like https://errata_server_…@errata.example/1.");
    this.#queue = new SendQueue({
      ingestUrl: this.#dsn?.ingestUrl,
      shared: {
        release: options.release ?? readVariable("ERRATA_RELEASE"),
        environment: options.environment ?? readVariable("ERRATA_ENVIRONMENT"),
      },
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      nowMs: this.#nowMs,
    });
  }

  get lostCount(): number {
    return this.#queue.lostCount;
  }

  readonly name = (thrown: unknown, facts: Facts = {}, options: NameOptions = {}): Named => {
    const known = this.find(thrown, options.scope);
    if (known !== undefined) return known;
    const report = this.#describe(thrown, facts);
    const { id, digest } = report;
    const named = { digest, id, receiptUrl: this.toReceiptUrl(digest) };
    this.#remember(thrown, options.scope, named);
    this.#report(report, options);
    return named;
  };

  readonly find = (thrown: unknown, scope?: object): Named | undefined =>
    hasProperties(thrown)
      ? this.#names.get(thrown)
      : scope && this.#scopedNames.get(scope)?.get(thrown);

  readonly toReceiptUrl = (digest: string): string | undefined =>
    this.#dsn && `${this.#dsn.origin}/e/${digest}`;

  readonly sign = async (page: ServedPage): Promise<string | undefined> => {
    try {
      return await this.#sign(page, signPageToken);
    } catch {
      return undefined;
    }
  };

  readonly signNow = (page: ServedPage): string | undefined => {
    try {
      return this.#sign(page, (keyHash, claims, scope) =>
        signPageTokenNow(keyHash, claims, scope, hmacSha256),
      );
    } catch {
      return undefined;
    }
  };

  readonly flush = (): Promise<void> => this.#queue.flush();

  readonly takeRequest = (): UnsentRequest | undefined => this.#queue.takeRequest();

  #sign<T>(
    { trace, origin, isShared = false, policy }: ServedPage,
    sign: (keyHash: string, claims: NewClaims, scope: TokenScope) => T,
  ): T | undefined {
    if (this.#dsn === undefined) return undefined;
    const { key, project } = this.#dsn;
    this.#keyHash ??= toHex(sha256(key));
    const hash = (text: string) => toPolicyHash(text, sha256);
    const policyHash = policy ? this.#policyHashes.getOrCreate(policy, hash) : undefined;
    const claims = { traceId: trace, isShared, policyHash, nowMs: this.#nowMs() };
    return sign(this.#keyHash, claims, { project, origin });
  }

  #describe(thrown: unknown, facts: Facts): WireReport {
    const identity = { id: createId(), atMs: this.#nowMs() };
    try {
      return createWireReport(thrown, facts, identity);
    } catch {
      // A getter of the facts threw. The value itself cannot.
      return createWireReport(thrown, {}, identity);
    }
  }

  #remember(thrown: unknown, scope: object | undefined, named: Named): void {
    if (hasProperties(thrown)) {
      this.#names.set(thrown, named);
    } else if (scope !== undefined) {
      const names = this.#scopedNames.get(scope) ?? new Map<unknown, Named>();
      this.#scopedNames.set(scope, names.set(thrown, named));
    }
  }

  #report(report: WireReport, { waitUntil }: NameOptions): void {
    try {
      const sent = this.#applyBeforeSend(report);
      if (sent === null) return;
      if (waitUntil === undefined) this.#queue.add(sent);
      else waitUntil(this.#queue.sendNow(sent));
    } catch {
      // A waitUntil after the end of its request. The report is in the queue.
    }
  }

  #applyBeforeSend(report: WireReport): WireReport | null {
    try {
      const { beforeSend } = this.#options;
      return beforeSend === undefined ? report : beforeSend(report);
    } catch {
      return report;
    }
  }
}

/** Edge runtimes and browsers have no `process`. */
function readVariable(name: string): string | undefined {
  try {
    const { process } = globalThis as {
      process?: { env?: Readonly<Record<string, string | undefined>> };
    };
    return process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}

function createId(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}
