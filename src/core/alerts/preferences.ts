/** The alerts that a person receives, and the failures of forms. */

import { fail } from "../result.ts";

/** The person of alerts under `ERRATA_LOCAL`, where all users of the machine are one person. */
export const LOCAL_PERSON = "local";

/** The messages that a person receives. */
export interface AlertPreferences {
  /** Destinations of the person that are in use. */
  readonly destinations: readonly string[];
  /** Only alerts of issues assigned to the person. */
  readonly onlyAssigned: boolean;
  /** No messages in these hours, in minutes after midnight; they follow when the hours end. */
  readonly quietHours?: { readonly from: number; readonly to: number; readonly timeZone: string };
}

/** Why a rule or destination was not saved; `detail` is a sentence for the form. */
export interface AlertFailure {
  readonly reason: "invalid" | "too-many";
  readonly detail: string;
}

/** Refuses a rule or destination with a sentence for the form. */
export function refuse(detail: string) {
  return fail({ reason: "invalid" as const, detail });
}
