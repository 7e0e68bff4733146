/**
 * Sorted, packed entries of the catalog: the key of an id, and the line that it leads to.
 *
 *     8 bytes key · 3 bytes number of the chunk in its run · 3 bytes line
 *
 * Entries of one key are sorted from the newest to the oldest.
 */
import { compareKeys, type IdKey } from "./id-key.ts";

export const ENTRY_BYTES = 14;

/** A line of a chunk. Chunks of a run are numbered from 0. */
export interface EntryTarget {
  readonly chunk: number;
  readonly line: number;
}

/** An id, and the line that it leads to. */
export interface IdEntry extends EntryTarget {
  readonly key: IdKey;
}

/** Packs entries. Of one key only the newest `maxPerKey` are kept. */
export function packEntries(entries: readonly IdEntry[], maxPerKey: number): Uint8Array {
  const sorted = sortEntries(entries);
  const bytes = new Uint8Array(sorted.length * ENTRY_BYTES);
  const view = toView(bytes);
  sorted.forEach(({ key, chunk, line }, n) => {
    const at = n * ENTRY_BYTES;
    view.setUint32(at, key.high);
    view.setUint32(at + 4, key.low);
    view.setUint16(at + 8, chunk >>> 8);
    view.setUint8(at + 10, chunk & 0xff);
    view.setUint16(at + 11, line >>> 8);
    view.setUint8(at + 13, line & 0xff);
  });
  return mergeEntries(bytes, new Uint8Array(), maxPerKey);
}

/** Merges two lists of packed entries. Of one key only the newest `maxPerKey` are kept. */
export function mergeEntries(a: Uint8Array, b: Uint8Array, maxPerKey: number): Uint8Array {
  const merged = new Uint8Array(a.length + b.length);
  const [viewA, viewB, view] = [toView(a), toView(b), toView(merged)];
  let [atA, atB, at, repeats] = [0, 0, 0, 0];
  while (atA < a.length || atB < b.length) {
    const takesA = atB >= b.length || (atA < a.length && comparePacked(viewA, atA, viewB, atB) < 0);
    merged.set(
      takesA ? a.subarray(atA, atA + ENTRY_BYTES) : b.subarray(atB, atB + ENTRY_BYTES),
      at,
    );
    if (takesA) atA += ENTRY_BYTES;
    else atB += ENTRY_BYTES;
    repeats = at > 0 && hasSameKey(view, at - ENTRY_BYTES, at) ? repeats + 1 : 0;
    if (repeats < maxPerKey) at += ENTRY_BYTES;
  }
  return merged.slice(0, at);
}

/** The lines that a key leads to, the newest first. */
export function findEntries(packed: Uint8Array, key: IdKey): readonly EntryTarget[] {
  const view = toView(packed);
  const found: EntryTarget[] = [];
  for (let n = findFirst(view, key); n * ENTRY_BYTES < packed.length; n++) {
    const at = n * ENTRY_BYTES;
    if (compareKeys(readKey(view, at), key) !== 0) break;
    const chunk = (view.getUint16(at + 8) << 8) | view.getUint8(at + 10);
    found.push({ chunk, line: (view.getUint16(at + 11) << 8) | view.getUint8(at + 13) });
  }
  return found;
}

/** The slice of a key, of `2 ** bits` slices. */
export function toSlice({ high }: Pick<IdKey, "high">, bits: number): number {
  return bits === 0 ? 0 : high >>> (32 - bits);
}

export function splitIntoSlices(packed: Uint8Array, bits: number): Map<number, Uint8Array> {
  const view = toView(packed);
  const slices = new Map<number, Uint8Array>();
  for (let from = 0, to = 0; from < packed.length; from = to) {
    const slice = toSlice({ high: view.getUint32(from) }, bits);
    while (to < packed.length && toSlice({ high: view.getUint32(to) }, bits) === slice) {
      to += ENTRY_BYTES;
    }
    slices.set(slice, packed.subarray(from, to));
  }
  return slices;
}

export function* readKeys(packed: Uint8Array): Generator<IdKey> {
  const view = toView(packed);
  for (let at = 0; at < packed.length; at += ENTRY_BYTES) yield readKey(view, at);
}

/** More than the entries of one call. Such a number and 32 more bits are an exact number. */
const MAX_ENTRIES = 2 ** 21;

/** Sorts numbers, which needs no call per comparison. Few keys begin with the same 32 bits. */
function sortEntries(entries: readonly IdEntry[]): IdEntry[] {
  const order = Float64Array.from(entries, ({ key }, n) => key.high * MAX_ENTRIES + n).sort();
  return Array.from(order, (at) => entries[at % MAX_ENTRIES] as IdEntry).sort(compareEntries);
}

function compareEntries(a: IdEntry, b: IdEntry): number {
  return compareKeys(a.key, b.key) || b.chunk - a.chunk || b.line - a.line;
}

/** The number of the first entry whose key does not come before `key`. */
function findFirst(view: DataView, key: IdKey): number {
  let [from, to] = [0, view.byteLength / ENTRY_BYTES];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (compareKeys(readKey(view, middle * ENTRY_BYTES), key) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

function comparePacked(a: DataView, atA: number, b: DataView, atB: number): number {
  return (
    a.getUint32(atA) - b.getUint32(atB) ||
    a.getUint32(atA + 4) - b.getUint32(atB + 4) ||
    b.getUint32(atB + 8) - a.getUint32(atA + 8) ||
    b.getUint16(atB + 12) - a.getUint16(atA + 12)
  );
}

function hasSameKey(view: DataView, a: number, b: number): boolean {
  return view.getUint32(a) === view.getUint32(b) && view.getUint32(a + 4) === view.getUint32(b + 4);
}

function readKey(view: DataView, at: number): IdKey {
  return { high: view.getUint32(at), low: view.getUint32(at + 4) };
}

function toView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
