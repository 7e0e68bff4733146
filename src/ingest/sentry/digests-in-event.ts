/** Finds the digest that the sender of a Sentry event saw. */
import { asRecord, asTextPairs, type JsonFields } from "../../core/decode/as-type.ts";

/**
 * The values in an event that may be a digest, undecoded. SDKs send `error.digest` with
 * `extraErrorDataIntegration` (as a context named after the error) and for thrown plain objects,
 * and an app can set a tag.
 */
export function listDigestFields(fields: JsonFields, contexts: JsonFields): readonly unknown[] {
  const extra = asRecord(fields.extra);
  const tag = asTextPairs(fields.tags).find(([name]) => name === "digest");
  const inContexts = Object.values(contexts).map((context) => asRecord(context)?.digest);
  return [tag?.[1], extra?.digest, asRecord(extra?.__serialized__)?.digest, ...inContexts];
}

/**
 * The codes after "Digest:" in messages, such as "Digest: 7F3K-Q2M9". The label is required,
 * because messages contain other numbers.
 */
export function findDigestsInText(...texts: readonly (string | undefined)[]): readonly string[] {
  // Most texts have none. A search for the word takes a sixth of the pattern's time.
  return texts.flatMap((text) =>
    text !== undefined && /digest/i.test(text)
      ? Array.from(text.matchAll(DIGEST_IN_TEXT), ([, digest = ""]) => digest)
      : [],
  );
}

const DIGEST_IN_TEXT =
  /\bdigest["']?\s?[:=]\s?["']?([\dA-Z]{4}-?[\dA-Z]{4}|\d{5,10}(?:@E\d{1,8})?)(?![\w-])/gi;
