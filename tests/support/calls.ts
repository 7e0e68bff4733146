/**
 * Counts the calls that the Worker makes to its bindings, and those that a page waits for. While
 * results are held back, they are released one by one, the latest call first, until the page sends
 * its first byte: the released calls are those that the first byte needs.
 */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import type { Bindings } from "../../src/config.ts";
import worker from "../../src/worker.ts";
import { bindings } from "./store.ts";

/** The kinds of calls: KV by operation, a Durable Object by RPC, a rate limit. */
const KINDS = ["KV read", "KV list", "KV write", "index", "log", "registry", "limit"] as const;
type Kind = (typeof KINDS)[number];

/** The calls in words: `1 KV read, 3 index`, or `nothing`. */
export interface Cost {
  readonly before: string;
  readonly behind: string;
}

/** The status of a response, and its cost. */
export interface Visited extends Cost {
  readonly status: number;
}

interface Call {
  readonly kind: Kind;
  readonly answer: Promise<unknown>;
  /** Releases the result. */
  readonly goOn: () => void;
}

const OF_KV = {
  get: "KV read",
  getWithMetadata: "KV read",
  list: "KV list",
  put: "KV write",
  delete: "KV write",
} as const;

/**
 * A page that sends nothing for this many turns of the event loop waits for a call. A page without
 * calls needs about ten turns.
 */
const TURNS = 30;

/** One isolate: the Worker with counted bindings and its own memory. */
export class CountedPlace {
  readonly #env: Bindings;
  #held: Call[] = [];
  #counted: Kind[] = [];
  #isHolding = false;

  constructor(vars: Partial<Bindings> = {}) {
    const { KV, PROJECT_INDEX, REPORT_LOG, REGISTRY } = bindings;
    const limits = Object.entries(bindings).filter(([name]) => name.includes("_LIMIT"));
    this.#env = {
      ...bindings,
      ...Object.fromEntries(limits.map(([name, it]) => [name, this.#within(it, () => "limit")])),
      KV: this.#within(KV, (method) => OF_KV[method as keyof typeof OF_KV]),
      PROJECT_INDEX: this.#objects(PROJECT_INDEX, "index"),
      REPORT_LOG: this.#objects(REPORT_LOG, "log"),
      REGISTRY: this.#objects(REGISTRY, "registry"),
      ...vars,
    };
  }

  /** Sends a request, reads the whole response, and waits for its background work. */
  async visit(request: Request): Promise<Visited> {
    const ctx = createExecutionContext();
    this.#counted = [];
    this.#isHolding = true;
    let begun = false;
    const answer = Promise.resolve(worker.fetch(request, this.#env, ctx));
    const first = answer.then(async ({ body }) => {
      const reader = body?.getReader();
      const { done = true } = (await reader?.read()) ?? {};
      begun = true;
      return { reader, done };
    });
    let needed: Kind[] = [];
    while (!(await isWithinTurns(() => begun))) {
      const last = this.#held.pop();
      if (last === undefined) continue;
      needed = [...needed, last.kind];
      await last.answer.catch(() => undefined);
      last.goOn();
    }
    this.#isHolding = false;
    for (const { goOn } of this.#held.splice(0)) goOn();
    let { reader, done } = await first;
    while (!done) done = (await reader?.read())?.done ?? true;
    const { status, webSocket } = await answer;
    webSocket?.accept();
    webSocket?.close();
    await waitOnExecutionContext(ctx);
    return { status, before: inWords(needed), behind: inWords(without(this.#counted, needed)) };
  }

  #objects<T extends Rpc.DurableObjectBranded | undefined>(
    namespace: DurableObjectNamespace<T>,
    kind: Kind,
  ): DurableObjectNamespace<T> {
    return new Proxy(namespace, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        if (name !== "getByName") return member.bind(target);
        return (...args: unknown[]) => this.#within(member.apply(target, args), () => kind);
      },
    });
  }

  /** `target` with its method calls counted as the kind that `kindOf` returns. */
  #within<T extends object>(target: T, kindOf: (method: string) => Kind): T {
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function" || typeof name !== "string") return member;
        return (...args: unknown[]) =>
          this.#asked(kindOf(name), () => Reflect.apply(member, target, args));
      },
    });
  }

  async #asked(kind: Kind, ask: () => Promise<unknown>): Promise<unknown> {
    this.#counted.push(kind);
    const answer = ask();
    if (this.#isHolding) {
      await new Promise<void>((goOn) => this.#held.push({ kind, answer, goOn }));
    }
    return answer;
  }
}

async function isWithinTurns(is: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < TURNS && !is(); turn++) await new Promise((go) => setTimeout(go));
  return is();
}

function without(all: readonly Kind[], some: readonly Kind[]): Kind[] {
  return KINDS.flatMap((kind) => {
    const count = (of: readonly Kind[]) => of.filter((it) => it === kind).length;
    return Array<Kind>(count(all) - count(some)).fill(kind);
  });
}

function inWords(kinds: readonly Kind[]): string {
  const counts = KINDS.map((kind) => [kinds.filter((it) => it === kind).length, kind] as const);
  return (
    counts
      .filter(([count]) => count > 0)
      .map((pair) => pair.join(" "))
      .join(", ") || "nothing"
  );
}
