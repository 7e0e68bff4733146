/** An integration: the snippets for one kind of sender, with the URL and key filled in. */

import { FIRST_PROJECT_ID } from "../../core/accounts/project-path.ts";
import type { IngestKey } from "../../core/accounts/registry.ts";

/** Where a project receives reports. */
export interface IngestAddress {
  /** `https://errata.example`. */
  readonly origin: string;
  /** The project's public key; absent if there is none. */
  readonly key?: string | undefined;
  /** True if the first project requires a key, as all others do. */
  readonly isKeyRequired?: boolean;
  readonly project: string;
  /** A server key that was just created, which code for servers then contains; else a placeholder. */
  readonly serverKey?: string | undefined;
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
  /** The URL, or the DSN of an SDK, to which the sender sends its reports. */
  readonly endpoint?: { readonly name: "URL" | "DSN"; readonly value: string };
  readonly snippets: readonly Snippet[];
  /** The kind of key that the snippets contain. A server key is a placeholder. */
  readonly keyKind?: IngestKey["kind"];
  /** One sentence; the text after its last colon is code. */
  readonly note?: string;
  /** The page of the documentation: `/docs/next`. */
  readonly docs?: string;
}

/** Replaces the public key while there is none. */
const KEY_PLACEHOLDER = "ERRATA_KEY";

/** Replaces the server key, which is shown only when it is created. */
export const SERVER_KEY_PLACEHOLDER = "ERRATA_SERVER_KEY";

/**
 * The URL that accepts every format. Pages need no key for the first project unless it requires
 * one; for other projects the key selects the project.
 */
export function toMonitoringUrl(address: IngestAddress): string {
  const { origin, project, key = KEY_PLACEHOLDER, isKeyRequired = false } = address;
  const url = `${origin}/monitoring`;
  return project === FIRST_PROJECT_ID && !isKeyRequired ? url : `${url}?sentry_key=${key}`;
}

/** The URL that accepts every format, for servers: with a server key. */
export function toServerUrl(origin: string, serverKey = SERVER_KEY_PLACEHOLDER): string {
  return `${origin}/monitoring?sentry_key=${serverKey}`;
}

/** The DSN for Sentry SDKs on servers. */
export function toServerDsn({ origin, project, serverKey }: IngestAddress): string {
  return toDsn({ origin, project, key: serverKey ?? SERVER_KEY_PLACEHOLDER });
}

/** The DSN for Sentry SDKs. */
export function toDsn({ origin, key = KEY_PLACEHOLDER, project }: IngestAddress): string {
  const { protocol, host } = new URL(origin);
  return `${protocol}//${key}@${host}/${project}`;
}
