/**
 * A view of a real KV namespace that fails by plan: each put takes the next fate, and puts after
 * the last fate succeed. Only the namespace is replaced.
 */

/**
 * `refuse`: the put rejects and stores nothing. `lose-reply`: the put stores the value and rejects.
 */
export type Fate = "ok" | "refuse" | "lose-reply";

/** The calls that a faulty view has seen so far. */
interface FaultyKv {
  readonly kv: KVNamespace;
  /** Every attempted put: its key, and its value's bytes as comparable text. */
  readonly puts: { key: string; bytes: string }[];
}

/** A faulty view of `kv`. Consumes `fates` from the front; `forever` repeats the last fate. */
export function createFaultyKv(kv: KVNamespace, fates: Fate[], { forever = false } = {}): FaultyKv {
  const puts: FaultyKv["puts"] = [];
  const put = async (key: string, value: string | Uint8Array, options?: KVNamespacePutOptions) => {
    const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
    puts.push({ key, bytes: String(bytes) });
    const fate = (forever && fates.length === 1 ? fates[0] : fates.shift()) ?? "ok";
    if (fate === "refuse") throw new Error("KV PUT failed: 429 Too Many Requests");
    await kv.put(key, value, options);
    if (fate === "lose-reply") throw new Error("KV PUT failed: 500 Internal Server Error");
  };
  return { kv: withKvMethods(kv, { put }), puts };
}

/** A view of `kv` that rejects every call of these methods. */
export function createRefusingKv(
  kv: KVNamespace,
  ...methods: readonly ("get" | "put" | "list" | "delete")[]
): KVNamespace {
  const refuse = () => Promise.reject(new Error("KV failed: 429 Too Many Requests"));
  return withKvMethods(kv, Object.fromEntries(methods.map((method) => [method, refuse])));
}

/** A view of `kv` with some methods replaced. */
export function withKvMethods(
  kv: KVNamespace,
  overrides: Readonly<Record<string, unknown>>,
): KVNamespace {
  return new Proxy(kv, {
    get: (target, name) =>
      typeof name === "string" && Object.hasOwn(overrides, name)
        ? overrides[name]
        : bindMember(target, name),
  });
}

function bindMember(target: KVNamespace, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name);
  return typeof member === "function" ? member.bind(target) : member;
}
