/** URLs of the settings. Forms return to their section. */

import { KEYLESS_ID } from "../../core/accounts/ingest-keys.ts";

/** The ingest keys. */
export const KEYS_ACTION = "/settings#keys";

/** The reports without a key. */
export const KEYLESS_ACTION = "/settings#keyless";

/** The section of a key, or of the reports without one (`KEYLESS_ID`). */
export function toKeyAction(keyId: string): string {
  return keyId === KEYLESS_ID ? KEYLESS_ACTION : KEYS_ACTION;
}
