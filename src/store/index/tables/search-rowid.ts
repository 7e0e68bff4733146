/**
 * The rowids of search texts: the id of the issue, minus a multiple of `LEVEL_SIZE` for issues of
 * pages and for public ones. In descending order, issues of servers come first, then those of
 * signed pages, then public ones, the newest first in each level. Reports can therefore not
 * displace issues of a higher level. Pure.
 */
import { TRUST_LEVELS, type Trust } from "../../../core/trust/trust.ts";

/** More than the issues of any project; a power of two. */
const LEVEL_SIZE = 2 ** 45;

/** The rowid of an issue of this level. */
export function toSearchRowid(id: number, trust: Trust): number {
  return id - TRUST_LEVELS.indexOf(trust) * LEVEL_SIZE;
}

/** SQL for the id of the issue of a rowid. */
export const ID_OF_ROWID = `rowid & ${LEVEL_SIZE - 1}`;

/** SQL for the rowids that an issue can have; it has one of them or none. */
export function listSearchRowids(id: string): readonly string[] {
  return TRUST_LEVELS.map((_, at) => `${id} - ${at * LEVEL_SIZE}`);
}

/** SQL conditions for the rowids of each level. */
export const LEVEL_CONDITIONS = Object.fromEntries(
  TRUST_LEVELS.map((trust, at) => [
    trust,
    `rowid BETWEEN ${-at * LEVEL_SIZE} AND ${(1 - at) * LEVEL_SIZE - 1}`,
  ]),
) as Readonly<Record<Trust, string>>;
