/**
 * Counts the calls that the Worker makes to its bindings, and those that a page waits for. While
 * results are held back, they are released one by one, the latest call first, until the page sends
 * its first byte: the released calls are those that the first byte needs.
 */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import type { Bindings } from "#src/bindings.ts";
import { getNamespace, OBJECTS, type ObjectKind } from "#src/store/objects.ts";
import worker from "#src/worker.ts";
import { bindings } from "#support/store/store.ts";

/** The kinds of calls: KV by operation, a Durable Object by RPC, a rate limit. */
const KINDS = [
  "KV read",
  "KV list",
  "KV write",
  "index",
  "log",
  "maps",
  "alerts",
  "registry",
  "limit",
] as const;
type Kind = (typeof KINDS)[number];

/** The calls in words: `1 KV read, 3 index`, or `nothing`. */
interface Cost {
  readonly before: string;
  readonly after: string;
}

/** The status of a response, and its cost. */
interface CountedVisit extends Cost {
  readonly status: number;
}

interface Call {
  readonly kind: Kind;
  readonly result: Promise<unknown>;
  /** Releases the result. */
  readonly release: () => void;
}

const KV_KINDS = {
  get: "KV read",
  getWithMetadata: "KV read",
  list: "KV list",
  put: "KV write",
  delete: "KV write",
} as const;

/**
 * A page that sends nothing for this many turns of the event loop waits for a call. Any other page
 * needs one turn; the first that loads a module on demand needs more, and holds no call meanwhile.
 */
const TURNS = 5;

/** One isolate: the Worker with bindings whose calls are counted, and its own memory. */
export class CountingWorker {
  readonly #env: Bindings;
  #heldCalls: Call[] = [];
  #calledKinds: Kind[] = [];
  #isHolding = false;

  constructor(vars: Partial<Bindings> = {}) {
    const limits = Object.entries(bindings).filter(([name]) => name.includes("_LIMIT"));
    this.#env = {
      ...bindings,
      ...Object.fromEntries(
        limits.map(([name, it]) => [name, this.#countCalls(it, () => "limit")]),
      ),
      ...Object.fromEntries(
        (Object.keys(OBJECTS) as ObjectKind[]).map((kind) => {
          const { binding } = OBJECTS[kind];
          return [
            binding,
            this.#countObjectCalls(
              getNamespace(bindings, kind),
              kind === "sourceMaps" ? "maps" : kind,
            ),
          ];
        }),
      ),
      KV: this.#countCalls(bindings.KV, (method) => KV_KINDS[method as keyof typeof KV_KINDS]),
      ...vars,
    };
  }

  /** Sends a request, reads the whole response, and waits for its background work. */
  async visit(request: Request): Promise<CountedVisit> {
    const ctx = createExecutionContext();
    this.#calledKinds = [];
    this.#isHolding = true;
    let hasStarted = false;
    const result = Promise.resolve(worker.fetch(request, this.#env, ctx));
    const firstRead = result.then(async ({ body }) => {
      const reader = body?.getReader();
      const { done = true } = (await reader?.read()) ?? {};
      hasStarted = true;
      return { reader, done };
    });
    let neededKinds: Kind[] = [];
    while (!(await isTrueWithinTurns(() => hasStarted))) {
      const last = this.#heldCalls.pop();
      if (last === undefined) continue;
      neededKinds = [...neededKinds, last.kind];
      await last.result.catch(() => undefined);
      last.release();
    }
    this.#isHolding = false;
    for (const { release } of this.#heldCalls.splice(0)) release();
    let { reader, done } = await firstRead;
    while (!done) done = (await reader?.read())?.done ?? true;
    const { status, webSocket } = await result;
    webSocket?.accept();
    webSocket?.close();
    await waitOnExecutionContext(ctx);
    return {
      status,
      before: formatKinds(neededKinds),
      after: formatKinds(subtractKinds(this.#calledKinds, neededKinds)),
    };
  }

  #countObjectCalls<T extends Rpc.DurableObjectBranded | undefined>(
    namespace: DurableObjectNamespace<T>,
    kind: Kind,
  ): DurableObjectNamespace<T> {
    return new Proxy(namespace, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        if (name !== "getByName") return member.bind(target);
        return (...args: unknown[]) => this.#countCalls(member.apply(target, args), () => kind);
      },
    });
  }

  /** `target` with its method calls counted as the kind that `kindOf` returns. */
  #countCalls<T extends object>(target: T, kindOf: (method: string) => Kind): T {
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function" || typeof name !== "string") return member;
        return (...args: unknown[]) =>
          this.#countCall(kindOf(name), () => Reflect.apply(member, target, args));
      },
    });
  }

  async #countCall(kind: Kind, call: () => Promise<unknown>): Promise<unknown> {
    this.#calledKinds.push(kind);
    const result = call();
    if (this.#isHolding) {
      await new Promise<void>((release) => this.#heldCalls.push({ kind, result, release }));
    }
    return result;
  }
}

async function isTrueWithinTurns(condition: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < TURNS && !condition(); turn++)
    await new Promise((go) => setTimeout(go));
  return condition();
}

function subtractKinds(all: readonly Kind[], some: readonly Kind[]): Kind[] {
  return KINDS.flatMap((kind) => {
    const count = (of: readonly Kind[]) => of.filter((it) => it === kind).length;
    return Array<Kind>(count(all) - count(some)).fill(kind);
  });
}

function formatKinds(kinds: readonly Kind[]): string {
  const counts = KINDS.map((kind) => [kinds.filter((it) => it === kind).length, kind] as const);
  return (
    counts
      .filter(([count]) => count > 0)
      .map((pair) => pair.join(" "))
      .join(", ") || "nothing"
  );
}
