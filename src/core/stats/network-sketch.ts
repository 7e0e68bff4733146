/**
 * Counts the networks that reports came from, without their addresses: a sketch is a list of short
 * salted hashes. It has at most `MAX_NETWORKS` of them, the smallest ones, so that sketches can be
 * joined in any order. Two of the same provider are the most that count, because a provider of IPv6
 * has thousands of networks. Pure.
 */

import { toHex } from "../hex.ts";

/** Hex digits of one network: 24 bits, as many as there are /24 networks of IPv4. */
const HASH_CHARS = 6;
/** The last ones are those of the provider. */
const PROVIDER_CHARS = HASH_CHARS / 2;
const MAX_OF_PROVIDER = 2;
/** The number up to which a sketch counts. A higher number of networks counts as this one. */
export const MAX_NETWORKS = 16;
/** A sketch: the hashes one after another, in ascending order. */
export const NETWORK_SKETCH = new RegExp(`^(?:[0-9a-f]{${HASH_CHARS}}){1,${MAX_NETWORKS}}$`);

const EACH_HASH = new RegExp(`.{${HASH_CHARS}}`, "g");

/** The sketch of one network, of a provider if it is known. Hashes have at least three bytes. */
export function createNetworkSketch(hash: Uint8Array, providerHash = hash): string {
  const [own, provider] = [hash, providerHash].map((one) => toHex(one.subarray(0, HASH_CHARS / 2)));
  return `${own?.slice(0, PROVIDER_CHARS)}${provider?.slice(PROVIDER_CHARS)}`;
}

/** The union of two sketches; undefined if neither exists. */
export function mergeNetworkSketches(a: string | undefined, b: string | undefined) {
  if (a === undefined || b === undefined || a === b) return a ?? b;
  const hashes = new Set([...listNetworks(a), ...listNetworks(b)]);
  const ofProvider = new Map<string, number>();
  const counted = [...hashes].sort().filter((hash) => {
    const provider = hash.slice(PROVIDER_CHARS);
    const count = (ofProvider.get(provider) ?? 0) + 1;
    ofProvider.set(provider, count);
    return count <= MAX_OF_PROVIDER;
  });
  return counted.slice(0, MAX_NETWORKS).join("");
}

/** The number of networks in a sketch, at most `MAX_NETWORKS`; 0 without a sketch. */
export function countNetworks(sketch: string | undefined): number {
  return Math.floor((sketch?.length ?? 0) / HASH_CHARS);
}

/** The hashes of a sketch. */
export function listNetworks(sketch: string | undefined): readonly string[] {
  return sketch?.match(EACH_HASH) ?? [];
}
