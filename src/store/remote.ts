/** Calls to a Durable Object with the types of its class: the class is the interface. */
import { withTimeout } from "./with-timeout.ts";

/** Members that only the platform calls. */
type Handler = "alarm" | "webSocketMessage" | "webSocketClose" | "webSocketError";

/**
 * The methods of an object of class `T` as calls from elsewhere: every call is asynchronous. It
 * rejects if the object throws, does not respond in time or is unavailable. Arguments and results
 * are plain data, because they are cloned.
 */
export type Remote<T> = {
  readonly [K in Exclude<keyof T, Handler> as T[K] extends AnyMethod ? K : never]: K extends "fetch"
    ? Fetcher["fetch"]
    : T[K] extends (...args: infer Args) => infer Value
      ? (...args: Args) => Promise<Awaited<Value>>
      : never;
};

type AnyMethod = (...args: never[]) => unknown;

/** How long calls of methods may take, ms; null if the caller, or nobody, limits them. */
export interface Timeouts<T> {
  readonly timeoutMs: number | null;
  /** Those of other methods. */
  readonly timeoutsMs?: { readonly [K in keyof Remote<T>]?: number | null };
}

type Call = (...args: unknown[]) => Promise<unknown>;

/**
 * The methods of an object. `open` creates a stub, and each call creates its own: a stub is
 * unusable after an exception.
 */
export function connect<T>(open: () => object, timeouts: Timeouts<T>): Remote<T> {
  const { timeoutMs, timeoutsMs = {} }: Timeouts<Record<string, Call>> = timeouts;
  const createCall = (name: string): Call => {
    const limitMs = timeoutsMs[name] === undefined ? timeoutMs : timeoutsMs[name];
    // A stub has a member of every name.
    const call: Call = async (...args) => (open() as Record<string, Call>)[name]?.(...args);
    return name === "fetch" || limitMs === null
      ? call
      : (...args) => withTimeout(call(...args), limitMs);
  };
  return new Proxy({} as Record<string, Call>, {
    get(calls, name) {
      // An `await` of the proxy would call `then`.
      if (typeof name !== "string" || name === "then") return undefined;
      calls[name] ??= createCall(name);
      return calls[name];
    },
  }) as unknown as Remote<T>;
}
