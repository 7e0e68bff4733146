/**
 * The entries of the menu *Snooze*, in its order. Forms send their words; the first is the default.
 * Menu, messages and requests derive from this table. Pure.
 */

/** The hour of the next day at which a snooze *until tomorrow* ends. */
export const TOMORROW_HOUR = 9;

/** The members of a decision that an entry sets; `tomorrow` needs a time zone. */
interface SnoozeOption {
  /** The value of its button: `snooze-1h`. */
  readonly word: string;
  /** After "Snooze", and after "snoozed": `for 1 hour`. */
  readonly text: string;
  readonly input: Readonly<Record<string, string | number | true>> | "tomorrow";
}

export const SNOOZE_OPTIONS = [
  { word: "snooze", text: "until it escalates", input: { untilEscalation: true } },
  { word: "snooze-1h", text: "for 1 hour", input: { duration: "1h" } },
  { word: "snooze-tomorrow", text: `until tomorrow ${TOMORROW_HOUR}:00`, input: "tomorrow" },
  { word: "snooze-7d", text: "for 1 week", input: { duration: "7d" } },
  { word: "snooze-10", text: "until 10 more times", input: { count: 10 } },
  { word: "snooze-100", text: "until 100 more times", input: { count: 100 } },
  { word: "snooze-10-users", text: "until 10 more people", input: { users: 10 } },
  { word: "snooze-release", text: "until a later release", input: { untilNextRelease: true } },
] as const satisfies readonly SnoozeOption[];

export type SnoozeWord = (typeof SNOOZE_OPTIONS)[number]["word"];

/** The entry that sets exactly these members; undefined for other conditions. */
export function findSnoozeOption(
  conditions: Readonly<Record<string, unknown>>,
): (typeof SNOOZE_OPTIONS)[number] | undefined {
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
  if (given.length === 0) return SNOOZE_OPTIONS[0];
  return SNOOZE_OPTIONS.find(({ input }) => {
    const expected = new Map<string, unknown>(input === "tomorrow" ? [] : Object.entries(input));
    return (
      expected.size === given.length && given.every(([name, value]) => expected.get(name) === value)
    );
  });
}
