/**
 * How a number of people is said. It is an estimate (`hyperloglog.ts`): counts below ten are almost
 * exact, and the standard error of higher ones is 6.5 %, so that a third digit would say nothing.
 */
import { formatNumber } from "../numbers.ts";

/** Estimates below it are almost exact. */
const FIRST_ESTIMATE = 10;

/** The number with the digits that are certain: `114` is 110, `1,234` is 1,200. */
export function roundPeople(count: number): number {
  const size = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, count))) - 1);
  return Math.round(count / size) * size;
}

/** `7`, `about 110`. */
export function formatPeopleCount(count: number): string {
  return `${count < FIRST_ESTIMATE ? "" : "about "}${formatNumber(roundPeople(count))}`;
}

/** `1 person`, `7 people`, `about 110 people`. */
export function formatPeople(count: number): string {
  return `${formatPeopleCount(count)} ${count === 1 ? "person" : "people"}`;
}

/** `1 person`, `110 people`: where no room is for the word that it is an estimate. */
export function formatRoundPeople(count: number): string {
  return `${formatNumber(roundPeople(count))} ${count === 1 ? "person" : "people"}`;
}
