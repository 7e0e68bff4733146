/** The examples of the help beside the query field. */

/** Each is understood: a test parses them. */
export const EXAMPLES: readonly (readonly [example: string, text: string])[] = [
  ["is:open", "The state. Also is:new, is:regressed, is:assigned, is:unassigned, is:noise."],
  ["assigned:me", "Assigned to you; assigned:Ada to this member."],
  ["release:1.4", "The value contains this text. Also env, browser, url, type and any tag."],
  ['release:"1.4.0"', "The value is this text."],
  ["release:shop@*", "The value begins with it: * stands for any text."],
  ["env:production,qa", "One of these values."],
  ["users:>10", "More than ten users. Also count."],
  ["last:<1h", "Seen within an hour. Also first:>2026-11-20."],
  ["user:ada@example.com", "Reports of this person."],
  ["-browser:safari", "Excludes a value. -word excludes a word."],
  ['"no price" cart', "All of these words, in the message or the stack trace."],
];
