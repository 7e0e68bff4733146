/** The alerts that a person receives. Pure. */
import * as v from "valibot";
import { idListSchema, minuteSchema, timeZoneSchema } from "./decode.ts";

/** The person of alerts under `ERRATA_LOCAL`, where all users of the machine are one person. */
export const LOCAL_PERSON = "local";

/** Hours of a day in which a person receives nothing; they may pass midnight. */
const quietHoursSchema = v.pipe(
  v.object({ from: minuteSchema, to: minuteSchema, timeZone: timeZoneSchema }),
  v.check(({ from, to }) => from !== to),
);

const preferencesSchema = v.object({
  /** Destinations of the person that are in use. */
  destinations: idListSchema,
  /** Only alerts of issues assigned to the person. */
  onlyAssigned: v.pipe(
    v.optional(v.unknown(), false),
    v.transform((value) => value === true),
  ),
  /** No messages in these hours, in minutes after midnight; they follow when the hours end. */
  quietHours: v.optional(quietHoursSchema),
});

/** The messages that a person receives. Stored (version 1): fields may be added. */
export type AlertPreferences = Readonly<v.InferOutput<typeof preferencesSchema>>;

export type QuietHours = Readonly<v.InferOutput<typeof quietHoursSchema>>;

/** Valid preferences, or null. */
export function decodePreferences(value: unknown): AlertPreferences | null {
  const decoded = v.safeParse(preferencesSchema, value);
  return decoded.success ? decoded.output : null;
}
