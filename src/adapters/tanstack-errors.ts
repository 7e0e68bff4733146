/** Errors between server and browser: what the two halves of `errata/tanstack` agree on. */

import { createShownError } from "./shown-error.ts";

/** What is sent in place of an error. */
export interface SentError {
  /** Of an error that the application shows, or that the browser sends. */
  readonly message?: string | undefined;
  readonly digest?: string | undefined;
}

/** An error as a page gets it. */
export interface PageError extends Error {
  /** `7F3K-Q2M9`. Undefined if the server did not fail. */
  digest?: string;
}

/** A serialization adapter of TanStack. */
export interface ErrorAdapter {
  /** For types only. */
  readonly "~types": { input: Error; output: SentError; extends: readonly [] };
  readonly key: string;
  readonly test: (value: unknown) => value is Error;
  readonly toSerializable: (error: Error) => SentError;
  readonly fromSerializable: (sent: SentError) => Error;
}

/** An adapter for all errors, which sends of each what `toSent` returns. */
export function createAdapter(toSent: (error: Error) => SentError): ErrorAdapter {
  const adapter: Omit<ErrorAdapter, "~types"> = {
    key: "errata-error",
    test: (value) => value instanceof Error,
    toSerializable: toSent,
    fromSerializable: (sent) => toShownError(sent),
  };
  return adapter as ErrorAdapter;
}

/**
 * The error that a page gets, the same on both sides. It has no stack of the server. If a page
 * throws it again, it stands for `original`.
 */
export function toShownError({ message, digest }: SentError, original?: unknown): PageError {
  const error: PageError =
    message === undefined && digest !== undefined
      ? createShownError(digest, original)
      : new Error(message);
  error.stack = `Error: ${error.message}`;
  if (digest !== undefined) error.digest = digest;
  return error;
}
