/** Time limits for calls to KV and other objects. */

/** A call did not respond in time. */
export class TimeoutError extends Error {
  constructor(ms: number) {
    super(`no response within ${ms} ms`);
  }
}

/** The value, or a rejection with `TimeoutError` after `ms`. The call itself is not cancelled. */
export async function withTimeout<T>(value: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(ms)), ms);
  });
  try {
    return await Promise.race([value, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
