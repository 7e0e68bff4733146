/**
 * The attributes by which the reports of an issue can differ from others: how many reports have each
 * value. They come from the values that an issue counts. Pure.
 */
import type { Issue } from "../issue/issue.ts";
import type { TopValues } from "../issue/top-values.ts";

/** How many reports have each value of an attribute, and how many have any. */
export interface ValueCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

/** By name, as pages show it: `browser`, `browser version`, `tag plan`. */
export type Attributes = ReadonlyMap<string, ValueCounts>;

/** Tags about the report or its error, not about the visitor. */
const OWN_TAGS = ["how", "report", "mechanism", "site", "digest", "viewport", "translated"];
/** Tags that have names of their own. */
const NAMED_TAGS: Readonly<Record<string, string>> = { os: "system", language: "language" };
const PHONE_PX = 640;
const TABLET_PX = 1024;

/** The attributes of an issue. Each has the reports that are counted by value. */
export function listAttributes({
  browsers,
  releases,
  environments,
  pages,
  tags = {},
}: Pick<Issue, "browsers" | "releases" | "environments" | "pages" | "tags">): Attributes {
  const { language, viewport, translated } = tags;
  const found = new Map<string, ValueCounts>();
  const add = (name: string, values: TopValues | undefined, toValue = keep, total?: number) => {
    if (values !== undefined) found.set(name, countBy(values, toValue, total));
  };
  add("browser", browsers, (name) => name.replace(/[ /]\d.*$/, ""));
  add("browser version", browsers);
  add("release", releases);
  add("environment", environments);
  add("page", pages);
  add("screen", viewport, toScreen);
  // The reporter sends it only if it is true, and the language always.
  add("translated", translated, keep, language && countBy(language, keep).total);
  for (const [name, values] of Object.entries(tags))
    if (!OWN_TAGS.includes(name))
      add(Object.hasOwn(NAMED_TAGS, name) ? (NAMED_TAGS[name] ?? name) : `tag ${name}`, values);
  return found;
}

function keep(value: string): string {
  return value;
}

/** `1280x720` as the class of its width. */
function toScreen(viewport: string): string {
  const width = Number.parseInt(viewport, 10);
  return width < PHONE_PX ? "phone" : width < TABLET_PX ? "tablet" : "desktop";
}

function countBy(
  { values, otherCount }: TopValues,
  toValue: (value: string) => string,
  total?: number,
): ValueCounts {
  const counts = new Map<string, number>();
  let sum = otherCount;
  for (const [name, count] of values) {
    const value = toValue(name);
    counts.set(value, (counts.get(value) ?? 0) + count);
    sum += count;
  }
  return { counts, total: Math.max(sum, total ?? 0) };
}
