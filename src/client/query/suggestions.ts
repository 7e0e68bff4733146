/** What completes the part of a query that is being typed: keys, then values of the current list. */
import { FILTER_ALIASES, IS_VALUES, listQueryTokens } from "../../core/issue/issue-query.ts";
import { COMPARED_KEYS, isComparedKey } from "../../core/issue/query-values.ts";

/** An entry of the completion. */
export interface Suggestion {
  /** The part with the entry in it. */
  readonly part: string;
  /** As the list shows it. */
  readonly label: string;
  /** What it means. */
  readonly meta?: string | undefined;
  /** The issues of the list that have the value. */
  readonly issues?: number | undefined;
  /** False if more has to be typed: a key without a value, a number to change. */
  readonly isComplete: boolean;
}

export interface Suggestions {
  readonly heading: string;
  /** The text that the entries contain, to mark it. */
  readonly typed: string;
  readonly entries: readonly Suggestion[];
  /** The key of the part, if it is a tag that no issue has. */
  readonly unknownTag?: string;
}

/** Reads the values of a key that contain a text, those of most issues first. */
export type ReadValues = (
  key: string,
  text: string,
) => Promise<readonly { readonly value: string; readonly issues?: number }[]>;

const NONE: Suggestions = { heading: "", typed: "", entries: [] };

const KEY_MEANINGS: Readonly<Record<string, string>> = {
  is: "state, new, assigned",
  assigned: "me, or a member",
  release: "seen in it",
  env: "environment",
  url: "page or route",
  browser: "",
  level: "fatal, error, warning",
  users: "number: >10",
  count: "number: >100",
  last: "seen: <1h",
  first: "seen: >2026-11-20",
  user: "id, email or name",
  type: "TypeError",
  kind: "error, csp, network",
  new: "first seen in a release",
  regressed: "in a release",
  fixed: "in a release",
  trust: "origin",
};

const IS_MEANINGS: Readonly<Record<string, string>> = {
  new: "within 24 hours",
  regressed: "occurred again",
  noise: "extensions, translation",
  folded: "part of a flood",
};

const EXAMPLES: Readonly<Record<"number" | "time", readonly (readonly [string, string])[]>> = {
  number: [
    [">10", "more than 10"],
    [">100", "more than 100"],
    ["<10", "fewer than 10"],
  ],
  time: [
    ["<1h", "within an hour"],
    ["<24h", "within a day"],
    ["<7d", "within a week"],
    [">7d", "longer ago"],
  ],
};

/** The entries for the part at the end of a query. `tags` are the tags of the list's issues. */
export async function suggest(
  typedPart: string,
  tags: readonly string[],
  readValues: ReadValues,
): Promise<Suggestions> {
  const [token] = listQueryTokens(typedPart);
  const minus = token?.minus ?? "";
  const [, key] = /^-?([A-Za-z][\w.-]*):/.exec(typedPart) ?? [];
  if (key === undefined) return suggestKeys(minus, token?.value ?? "", tags);
  const written = typedPart.slice(minus.length + key.length + 1);
  const from = `${minus}${key}:`;
  const known = FILTER_ALIASES.get(key.toLowerCase());
  if (key.toLowerCase() === "is") return suggestWords(from, written);
  if (known !== undefined && isComparedKey(known)) {
    const entries = EXAMPLES[COMPARED_KEYS[known]].filter(([example]) =>
      example.startsWith(written),
    );
    return {
      heading: `${from} compared`,
      typed: written,
      entries: entries.map(([example, meta]) => ({
        ...{ part: from + example, label: example, meta, isComplete: true },
      })),
    };
  }
  if (known === "user" || known === "digest") return NONE;
  return suggestValues(key, from, written, readValues, known === undefined);
}

function suggestKeys(minus: string, typed: string, tags: readonly string[]): Suggestions {
  const lower = typed.toLowerCase();
  const names = [...Object.keys(KEY_MEANINGS), ...tags];
  const found = names.filter((name) => name.toLowerCase().startsWith(lower));
  return {
    heading: "Keys",
    typed,
    entries: found.map((name) => ({
      part: `${minus}${name}:`,
      label: `${name}:`,
      meta: tags.includes(name) ? "tag" : KEY_MEANINGS[name],
      isComplete: false,
    })),
  };
}

function suggestWords(from: string, typed: string): Suggestions {
  const words = IS_VALUES.filter((word) => word.startsWith(typed.toLowerCase()));
  return {
    heading: "State",
    typed,
    entries: words.map((word) => ({
      ...{ part: from + word, label: word, meta: IS_MEANINGS[word], isComplete: true },
    })),
  };
}

async function suggestValues(
  key: string,
  from: string,
  written: string,
  readValues: ReadValues,
  isTag: boolean,
): Promise<Suggestions> {
  const start = findLastItem(written);
  const before = from + written.slice(0, start);
  const typed = written.slice(start).replace(/^"/, "").replace(/"$/, "");
  const values = await readValues(key, typed.replaceAll("*", ""));
  const isUnknown = isTag && values.length === 0 && (await readValues(key, "")).length === 0;
  const isMe = key.toLowerCase().startsWith("assigne") && "me".startsWith(typed.toLowerCase());
  const entries: Suggestion[] = values.map(({ value, issues }) => ({
    ...{
      part: `${before}"${value.replaceAll('"', '""')}"`,
      label: value,
      issues,
      isComplete: true,
    },
  }));
  if (isMe) entries.unshift({ part: `${before}me`, label: "me", meta: "you", isComplete: true });
  const beginning = values.filter(({ value }) => value.startsWith(typed));
  if (typed !== "" && beginning.length > 1 && !/[*\s",]/.test(typed))
    entries.push({
      part: `${before}${typed}*`,
      label: `${typed}*`,
      meta: "all that begin so",
      isComplete: true,
    });
  return {
    heading: `${key}, in the issues of this list`,
    typed,
    entries,
    ...(isUnknown && { unknownTag: key }),
  };
}

/** Where the last of several values begins. */
function findLastItem(written: string): number {
  let start = 0;
  let isQuoted = false;
  for (const [at, character] of [...written].entries()) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "," && !isQuoted) start = at + 1;
  }
  return start;
}
