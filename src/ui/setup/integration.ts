/** An integration: the snippets for one kind of sender, with the URL and key filled in. */

import { FIRST_PROJECT_ID } from "../../core/accounts/registry.ts";

/** Where a project receives reports. */
export interface IngestAddress {
  /** `https://errata.example`. */
  readonly origin: string;
  /** The project's ingest key; absent if none is configured. */
  readonly key?: string | undefined;
  readonly project: string;
}

/** The code for one file. */
export interface Snippet {
  readonly file: string;
  readonly code: string;
}

/** One kind of sender. */
export interface Integration {
  readonly id: string;
  readonly name: string;
  /** One sentence about the errors that it reports. */
  readonly description: string;
  readonly snippets: readonly Snippet[];
  /** True if it cannot send without a key. */
  readonly needsKey?: true;
  readonly note?: string;
}

/** Replaces the key while none is configured. */
export const KEY_PLACEHOLDER = "ERRATA_KEY";

/**
 * The URL that accepts every format. Pages need no key for the first project; for other projects
 * the key selects the project.
 */
export function toMonitoringUrl({ origin, project, key = KEY_PLACEHOLDER }: IngestAddress): string {
  const url = `${origin}/monitoring`;
  return project === FIRST_PROJECT_ID ? url : `${url}?sentry_key=${key}`;
}

/** The same URL for servers, with the key if there is one. */
export function toKeyedUrl(address: IngestAddress): string {
  const { key, project } = address;
  const url = toMonitoringUrl(address);
  return key === undefined || project !== FIRST_PROJECT_ID ? url : `${url}?sentry_key=${key}`;
}

/** The DSN for Sentry SDKs. */
export function toDsn({ origin, key = KEY_PLACEHOLDER, project }: IngestAddress): string {
  const { protocol, host } = new URL(origin);
  return `${protocol}//${key}@${host}/${project}`;
}
