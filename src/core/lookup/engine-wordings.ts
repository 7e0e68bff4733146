/** The wordings that other engines of JavaScript have for the message of an engine. Pure. */
import { toNeutralMessage } from "../grouping/v1/neutral-message.ts";

/** The wordings by the neutral text of grouping, without names of variables. */
const WORDINGS: Readonly<Record<string, (detail: string) => readonly string[]>> = {
  property: (detail) => {
    const [name = "", holder = ""] = detail.split(" of ");
    return [
      `Cannot properties of ${holder} ${name}`,
      `can't access property ${name} ${holder}`,
      `${holder} is not an object evaluating ${name}`,
      `Cannot property ${name} of ${holder}`,
    ];
  },
  "not defined": (name) => [`${name} is not defined`, `Can't find variable ${name}`],
  "no function": (name) => [`${name} is not a function`],
  "too much recursion": () => ["Maximum call stack size exceeded", "too much recursion"],
  "circular JSON": () => [
    ...["Converting circular structure to JSON", "cyclic object value"],
    "cannot serialize cyclic structures",
  ],
};

const ERROR = /^(?:.{0,100}\s)?([A-Za-z]\w{0,60}Error): (.+)$/s;

/** Words of the same error in each engine; empty for text that is not the message of an engine. */
export function listEngineWordings(line: string): readonly string[] {
  const [, type = "", message = ""] = ERROR.exec(line) ?? [];
  const neutral = type === "" ? undefined : toNeutralMessage(type, message);
  if (neutral === undefined) return [];
  const [kind = "", detail = ""] = neutral.message.split(": ");
  const toWordings = Object.hasOwn(WORDINGS, kind) ? WORDINGS[kind] : undefined;
  // A name that engines do not all report says nothing.
  return toWordings === undefined || detail.startsWith("*") ? [] : toWordings(detail);
}
