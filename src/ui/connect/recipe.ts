/** How one kind of sender is pointed at this desk: its lines, file by file, with the address and key filled in. */

import { FIRST_PROJECT } from "../../core/registry/registry.ts";

/** Where reports go, and what shows that somebody may send them. */
export interface Address {
  /** `https://errata.example`. */
  readonly origin: string;
  /** The project's ingest key; absent where none is configured. */
  readonly key?: string | undefined;
  readonly project: string;
}

/** Lines for one file, or one place. */
export interface Snippet {
  readonly file: string;
  readonly text: string;
}

/** One kind of sender. */
export interface Recipe {
  readonly id: string;
  readonly name: string;
  /** What is reported then, in a sentence. */
  readonly says: string;
  readonly snippets: readonly Snippet[];
  /** True where nothing is taken without a key. */
  readonly needsKey?: true;
  readonly note?: string;
}

/** What stands in the place of a key that is not configured yet. */
export const NO_KEY = "ERRATA_KEY";

/** Where anything may be posted. To the first project a page needs no key; to any other the key is what names it. */
export function monitoringUrl({ origin, project, key = NO_KEY }: Address): string {
  const url = `${origin}/monitoring`;
  return project === FIRST_PROJECT ? url : `${url}?sentry_key=${key}`;
}

/** The same for a server, which shows the key where there is one. */
export function keyedUrl(address: Address): string {
  const { key, project } = address;
  const url = monitoringUrl(address);
  return key === undefined || project !== FIRST_PROJECT ? url : `${url}?sentry_key=${key}`;
}

/** What a Sentry SDK is pointed at. */
export function dsnAt({ origin, key = NO_KEY, project }: Address): string {
  const { protocol, host } = new URL(origin);
  return `${protocol}//${key}@${host}/${project}`;
}
