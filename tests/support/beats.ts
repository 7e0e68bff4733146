/** Beats that a test gives: what waits for one waits until then, and no clock runs. */

/** A promise, and what ends it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

/** A promise that the test ends. */
export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** What has become of something after so many beats: its value or what it failed with, undefined while it waits. */
export interface Watched<T> {
  readonly after: (
    beats: number,
  ) => Promise<{ readonly beats: number; readonly value: T | unknown } | undefined>;
}

/** A clock of beats for `Services.beat`, and a look at what settles on them. */
export function aClock() {
  const waiting: Deferred<void>[] = [];
  let given = 0;
  const beat = () => {
    const next = deferred<void>();
    waiting.push(next);
    return next.promise;
  };
  const give = async () => {
    given++;
    for (const one of waiting.splice(0)) one.resolve();
    await turn();
  };
  return {
    beat,
    give,
    settledAt<T>(promise: Promise<T>): Watched<T> {
      let settled: { beats: number; value: T | unknown } | undefined;
      const settle = (value: T | unknown) => {
        settled = { beats: given, value };
      };
      promise.then(settle, settle);
      return {
        async after(beats) {
          await turn();
          for (let n = 0; n < beats; n++) await give();
          return settled;
        },
      };
    },
  };
}

const TURNS = 20;

/** Lets everything go on that waits for nothing from outside. */
export async function turn(): Promise<void> {
  for (let n = 0; n < TURNS; n++) await new Promise((resolve) => setTimeout(resolve));
}
