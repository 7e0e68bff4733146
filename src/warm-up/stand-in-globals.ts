/**
 * Timers, randomness and the console while no request is handled: the platform refuses the first
 * two then (Workers › Global scope), and nothing must be logged. Everything is put back afterwards.
 */

/** A timer that the code uses to go on in another turn. Longer ones are deadlines: none passes. */
const MAX_TURN_MS = 1;
const QUIET = ["debug", "error", "info", "log", "warn"] as const;

/** Runs `work` with stand-ins. `isCollecting`: React collects its tasks itself at the moment. */
export async function withStandInGlobals<T>(
  isCollecting: () => boolean,
  work: () => Promise<T>,
): Promise<T> {
  const { setTimeout } = globalThis;
  const restore = [
    replace(globalThis, {
      setTimeout(task: () => void, ms = 0) {
        if (isCollecting()) return setTimeout(task, ms);
        if (ms <= MAX_TURN_MS) queueMicrotask(task);
        return 0;
      },
      clearTimeout: () => undefined,
      setInterval: () => 0,
      clearInterval: () => undefined,
    }),
    replace(crypto, {
      getRandomValues: <Values>(values: Values) => values,
      randomUUID: () => "00000000-0000-4000-8000-000000000000",
    }),
    replace(console, Object.fromEntries(QUIET.map((name) => [name, () => undefined]))),
  ];
  try {
    return await work();
  } finally {
    for (const putBack of restore) putBack();
  }
}

/** Replaces members, and returns a function that puts them back as they were declared. */
function replace(target: object, members: Readonly<Record<string, unknown>>): () => void {
  const kept = Object.keys(members).map(
    (name) => [name, Object.getOwnPropertyDescriptor(target, name)] as const,
  );
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  return () => {
    for (const [name, descriptor] of kept) {
      if (descriptor === undefined) Reflect.deleteProperty(target, name);
      else Object.defineProperty(target, name, descriptor);
    }
  };
}
