/**
 * The accessor with which Next.js shows Errata's digest. Next.js gives a failed render a digest
 * unless the error has one, so every error has one: it is computed when something reads it.
 */

/** Computes the digest of an error. It may throw, and it may read `digest` itself. */
export type ComputeDigest = (error: object) => string | undefined;

/**
 * Defines `digest` on `Error.prototype`, not enumerable. A digest that an application or a
 * framework assigns becomes the error's own, as without the accessor. Further calls do nothing.
 */
export function installOwnDigests(compute: ComputeDigest): void {
  if (hasOwnDigests()) return;
  /** Frozen errors and proxies may refuse a property of their own. */
  const computing = new WeakSet<object>();
  const computeOnce = (error: object): string | undefined => {
    if (error === Error.prototype || computing.has(error)) return undefined;
    computing.add(error);
    // Who describes an error may read its digest again: it has an empty one until it is known.
    defineOwn(error, undefined);
    try {
      const digest = compute(error);
      defineOwn(error, digest);
      return digest;
    } catch {
      return undefined;
    } finally {
      computing.delete(error);
    }
  };
  Object.defineProperty(Error.prototype, "digest", {
    configurable: true,
    enumerable: false,
    get(this: object) {
      return computeOnce(this);
    },
    set(this: object, digest: unknown) {
      defineOwn(this, digest);
    },
  });
}

/** True if Next.js shows Errata's digests. */
export function hasOwnDigests(): boolean {
  return Object.hasOwn(Error.prototype, "digest");
}

/** Enumerable, because the log of Next.js prints such properties. False if the error refuses. */
function defineOwn(error: object, digest: unknown): boolean {
  try {
    const attributes = { configurable: true, enumerable: true, writable: true };
    return Reflect.defineProperty(error, "digest", { ...attributes, value: digest });
  } catch {
    return false;
  }
}
