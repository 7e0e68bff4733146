/** URLs of the settings. Forms return to their section. */

/** The ingest keys. */
export const KEYS_ACTION = "/settings#keys";
