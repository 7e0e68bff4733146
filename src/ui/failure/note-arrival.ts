/**
 * Values that arrive before a page is rendered. React suspends at each promise that it has not read
 * before, even at a fulfilled one, but reads a promise with `status` and `value` at once.
 */

/** Returns the promise. `use` reads it without suspending once it is fulfilled. */
export function noteArrival<T>(promise: Promise<T>): Promise<T> {
  promise.then(
    (value) => Object.assign(promise, { status: "fulfilled", value }),
    () => undefined,
  );
  return promise;
}

/** True if `use` reads every promise without suspending. */
export function haveArrived(...promises: readonly Promise<unknown>[]): boolean {
  return promises.every((promise) => "status" in promise && promise.status === "fulfilled");
}
