/** The token of a value in the table `facet`. Pure. */
import { fnv1a } from "../../../core/fnv1a.ts";

/** A hash of 64 bits: FTS5 would fold and split the value itself. */
export function toFacetToken(key: string, value: string): string {
  const hashes = [`${key}\n${value}`, `${value}\n${key}`].map(fnv1a);
  return hashes.map((hash) => hash.toString(36).padStart(7, "0")).join("");
}
