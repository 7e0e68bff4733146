/** The script of the browser reporter, which the build puts into this module. */

declare const REPORTER_SCRIPT: { text: string; integrity: string; version: string };

/** `text` is a classic script, `integrity` its `sha256-…`, and `version` a part of that. */
export const reporterScript: {
  readonly text: string;
  readonly integrity: string;
  readonly version: string;
} = REPORTER_SCRIPT;
