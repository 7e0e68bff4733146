/**
 * Takes secrets out of a report before it is stored: values of fields with a secret's name, and values with a
 * secret's shape wherever they stand. Never throws, linear in the size of the report, and a scrubbed report scrubs to
 * itself. What it takes for a secret stands in `secrets.ts`.
 */
import type { Draft } from "./report.ts";
import {
  isCardNumber,
  isSecretName,
  isSecretParameter,
  REMOVED,
  SECRET_SHAPES,
  type SecretShape,
} from "./secrets.ts";

/** Members that are never stored as a sender's text: codes and words of ours, and what an id is made of. */
const CODES: ReadonlySet<string> = new Set([
  "about",
  "aliases",
  "digest",
  "format",
  "id",
  "kind",
  "pageTraceId",
  "rayId",
  "sameAbout",
  "sameAs",
  "issueDigest",
  "side",
  "traceId",
]);

/** What else is removed, wherever it stands: e-mail addresses, IPv4 and IPv6 addresses. */
export interface ScrubSettings {
  readonly email: boolean;
  readonly ip: boolean;
}

const SECRETS_ALONE: ScrubSettings = { email: false, ip: false };

/**
 * The same report without secrets, and without what `also` names; and how many values were removed. The draft itself is
 * not changed.
 */
export function scrubReport<T extends Draft>(
  draft: T,
  also: ScrubSettings = SECRETS_ALONE,
): { value: T; scrubbed: number } {
  const shapes = SECRET_SHAPES.filter(({ setting }) => setting === undefined || also[setting]);
  const removals = { count: 0, shapes, inNames: shapes.filter(({ setting }) => setting) };
  const members = Object.entries(draft)
    .filter(([name]) => !CODES.has(name))
    .map(([name, member]) => [name, scrubMember(name, member, removals)]);
  return { value: { ...draft, ...Object.fromEntries(members) }, scrubbed: removals.count };
}

interface Removals {
  count: number;
  readonly shapes: readonly SecretShape[];
  /** Of these, what is removed from names of members too: a sender may list people by their addresses. */
  readonly inNames: readonly SecretShape[];
}

function scrubMember(name: string, member: unknown, removals: Removals): unknown {
  if (name === "detail") return scrubDetail(member, removals);
  return name === "tags" ? scrubPairs(member, removals) : scrubValue(member, removals);
}

/** What a draft has fields for: the names in it are ours, and numbers are times, lines, a status. */
function scrubValue(value: unknown, removals: Removals): unknown {
  if (typeof value === "string") return scrubText(value, removals);
  if (Array.isArray(value)) return value.map((item) => scrubValue(item, removals));
  if (typeof value !== "object" || value === null) return value;
  const scrubbed: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const scrub = name === "headers" ? scrubPairs : scrubValue;
    // Chance makes any shape in a file's bytes; a file that is text is scrubbed.
    scrubbed[name] = name === "base64" ? member : scrub(member, removals);
  }
  return scrubbed;
}

/** What a sender sent as it liked: any name, and any number, may be a secret's. */
function scrubDetail(value: unknown, removals: Removals): unknown {
  if (typeof value === "string") return scrubText(value, removals);
  if (typeof value === "number") return isCardNumber(String(value)) ? removed(removals) : value;
  if (Array.isArray(value)) return value.map((item) => scrubDetail(item, removals));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([sent, member]) => {
      const name = scrubShapes(sent, removals.inNames, removals);
      const scrub = isSecretName(name) ? removeAll : scrubDetail;
      return [name, scrub(member, removals)];
    }),
  );
}

/** Pairs of a name and a value, as headers and tags are. What has another form is an ordinary value. */
function scrubPairs(pairs: unknown, removals: Removals): unknown {
  if (!Array.isArray(pairs)) return scrubValue(pairs, removals);
  return pairs.map((pair: unknown) => {
    if (!Array.isArray(pair) || typeof pair[0] !== "string") return scrubValue(pair, removals);
    const [name, ...values]: readonly unknown[] = pair;
    const scrub = isSecretName(pair[0]) ? removeAll : scrubValue;
    return [name, ...values.map((value) => scrub(value, removals))];
  });
}

/** Nothing of the value stays, except that there was none. */
function removeAll(value: unknown, removals: Removals): unknown {
  const isNothing = value === null || value === "" || typeof value === "boolean";
  return isNothing || value === REMOVED ? value : removed(removals);
}

function removed(removals: Removals): string {
  removals.count++;
  return REMOVED;
}

/** `?token=abc`, `&code=abc`, `#access_token=abc` of an address. */
const PARAMETER = /(?<=[?&#;])([\w.[\]-]{1,100})(=)([^&#\s"'<>;,)]+)/g;

/** `password=abc`, `password: "abc"` and `"password":"abc"`, also where JSON stands in a string of JSON. */
const ASSIGNMENT =
  /(?<![\w.-])([A-Za-z][\w.-]{0,99})(=["']?|\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["'])(?!\[removed\])([^\s"'\\&,;<>()}]+)(?![\w(])/g;

const MAX_PASSES = 4;

/** Until nothing more is found: once a secret is out, what stood around it may have the shape of another. */
function scrubText(text: string, removals: Removals): string {
  let scrubbed = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = scrubbed;
    scrubbed = scrubNamed(scrubShapes(before, removals.shapes, removals), removals);
    if (scrubbed === before) break;
  }
  return scrubbed;
}

function scrubShapes(text: string, shapes: readonly SecretShape[], removals: Removals): string {
  let scrubbed = text;
  for (const { sign, pattern, isSecret } of shapes) {
    if (sign !== undefined && !scrubbed.includes(sign)) continue;
    scrubbed = scrubbed.replace(pattern, (match: string, ...rest: readonly unknown[]) => {
      const secret = secretGroup(rest.at(-1)) ?? match;
      if (isSecret?.(secret) === false) return match;
      return match.replace(secret, removed(removals));
    });
  }
  return scrubbed;
}

/** In every match of the two patterns above; most texts have neither. */
const NAMED = /=|:\s{0,4}\\{0,3}["']/;

function scrubNamed(text: string, removals: Removals): string {
  if (!NAMED.test(text)) return text;
  const removeIf =
    (isSecretHere: (name: string) => boolean) =>
    (match: string, name: string, between: string, value: string): string =>
      isSecretHere(name) ? `${name}${between}${removeAll(value, removals)}` : match;
  return text
    .replace(PARAMETER, removeIf(isSecretParameter))
    .replace(ASSIGNMENT, removeIf(isSecretName));
}

function secretGroup(groups: unknown): string | undefined {
  if (typeof groups !== "object" || groups === null || !("secret" in groups)) return undefined;
  return typeof groups.secret === "string" ? groups.secret : undefined;
}
