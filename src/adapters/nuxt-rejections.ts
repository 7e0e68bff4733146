/**
 * Tells of the rejections of `useAsyncData` and `useFetch`, of which no hook of Nuxt tells: Nuxt
 * keeps them by key.
 */

/** The part of Nuxt's payload with the rejections. A version of Nuxt may have none. */
export interface Payload {
  _errors?: Record<string, unknown>;
}

/** Calls `tell` with each error before Nuxt keeps it, so that a change of it is kept, too. */
export function watchRejections(payload: Payload, tell: (error: unknown) => void): void {
  if (payload._errors === undefined) return;
  payload._errors = new Proxy(payload._errors, {
    set(errors, key, error) {
      if (error !== undefined) tell(error);
      return Reflect.set(errors, key, error);
    },
  });
}
