/** FNV-1a, 32 bits: fast and not cryptographic. */

/**
 * The hash of the text's UTF-16 code units, an integer below 2³². Source: draft-eastlake-fnv-21 §
 * 2.
 */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++)
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}
