/** How one kind of sender is pointed at this desk: its lines, file by file, with the address and key filled in. */

import { FIRST_PROJECT_ID } from "../../core/accounts/registry.ts";

/** Where reports go, and what shows that somebody may send them. */
export interface IngestAddress {
  /** `https://errata.example`. */
  readonly origin: string;
  /** The project's ingest key; absent where none is configured. */
  readonly key?: string | undefined;
  readonly project: string;
}

/** Lines for one file, or one place. */
export interface Snippet {
  readonly file: string;
  readonly code: string;
}

/** One kind of sender. */
export interface Integration {
  readonly id: string;
  readonly name: string;
  /** What is reported then, in a sentence. */
  readonly description: string;
  readonly snippets: readonly Snippet[];
  /** True where nothing is taken without a key. */
  readonly needsKey?: true;
  readonly note?: string;
}

/** What stands in the place of a key that is not configured yet. */
export const KEY_PLACEHOLDER = "ERRATA_KEY";

/** Where anything may be posted. To the first project a page needs no key; to any other the key is what names it. */
export function toMonitoringUrl({ origin, project, key = KEY_PLACEHOLDER }: IngestAddress): string {
  const url = `${origin}/monitoring`;
  return project === FIRST_PROJECT_ID ? url : `${url}?sentry_key=${key}`;
}

/** The same for a server, which shows the key where there is one. */
export function toKeyedUrl(address: IngestAddress): string {
  const { key, project } = address;
  const url = toMonitoringUrl(address);
  return key === undefined || project !== FIRST_PROJECT_ID ? url : `${url}?sentry_key=${key}`;
}

/** What a Sentry SDK is pointed at. */
export function toDsn({ origin, key = KEY_PLACEHOLDER, project }: IngestAddress): string {
  const { protocol, host } = new URL(origin);
  return `${protocol}//${key}@${host}/${project}`;
}
