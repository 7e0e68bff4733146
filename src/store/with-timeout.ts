/** Waiting that ends: nothing in the store waits for ever for KV or another object. */

/** The value when it comes within `ms`; rejects otherwise, and when it does. Nothing is cancelled: what comes late is ignored. */
export async function withTimeout<T>(value: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([value, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
