/** URLs of the settings. */

import { KEYLESS_ID } from "../../core/accounts/ingest-keys.ts";

/** The id of the section of a key, or of the reports without one (`KEYLESS_ID`). */
export function toKeySection(keyId: string): string {
  return keyId === KEYLESS_ID ? "keyless" : "keys";
}

/** The URL of that section. */
export function toKeySectionUrl(keyId: string): string {
  return `/settings#${toKeySection(keyId)}`;
}

/** The repositories of the project, and who owns which code. Their forms are sent there too. */
export const REPOSITORIES_URL = "/settings/repositories";

/** The form of a person's editor, in these settings. */
export const EDITOR_URL = `${REPOSITORIES_URL}/editor`;
