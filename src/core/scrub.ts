/**
 * Takes secrets out of a report before it is stored: values of fields with a secret's name, and values with a
 * secret's shape wherever they stand. Never throws, linear in the size of the report, and a scrubbed report scrubs to
 * itself. What it takes for a secret stands in `secrets.ts` and `secret-*.ts`.
 */
import { Memory } from "./memory.ts";
import type { Draft } from "./report.ts";
import { ADDRESS_SHAPES } from "./secret-addresses.ts";
import { isCardNumber } from "./secret-cards.ts";
import { scrubJson } from "./secret-json.ts";
import { isSecretName } from "./secret-names.ts";
import { nameWithout, removedBetween, textWithout } from "./secret-text.ts";
import { REMOVED, SECRET_SHAPES, type SecretShape } from "./secrets.ts";

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
  "visitor",
]);

/** What else is removed, wherever it stands: e-mail addresses, IPv4 and IPv6 addresses. */
export interface ScrubSettings {
  readonly email: boolean;
  readonly ip: boolean;
}

const SECRETS_ALONE: ScrubSettings = { email: false, ip: false };

/**
 * The same report without secrets, and without what `also` names; and how many values were removed. The draft itself is
 * not changed, and what of it has no secret is not copied.
 */
export function scrubReport<T extends Draft>(
  draft: T,
  also: ScrubSettings = SECRETS_ALONE,
): { value: T; scrubbed: number } {
  const removals: Removals = { count: 0, known: new Map(), ...wanted(also) };
  const value = { ...draft };
  const members = value as Record<string, unknown>;
  for (const name in members) {
    if (!CODES.has(name)) members[name] = scrubMember(name, members[name], removals);
  }
  return { value, scrubbed: removals.count };
}

/** What is removed. */
interface Wanted {
  readonly shapes: readonly SecretShape[];
  /** Of these, what is removed from names of members too: a sender may list people by their addresses. */
  readonly inNames: readonly SecretShape[];
  /** Texts without any of it. Some hundred stand in a report, nearly all of them in the report before: half the time of a scrubbing. */
  readonly clean: Memory<true>;
}

interface Removals extends Wanted {
  count: number;
  /** What stayed of this report's texts: one that is too long to be remembered, or holds a secret, may stand in it a hundred times. */
  readonly known: Map<string, string>;
}

const WANTED = new Map<string, Wanted>();

function wanted(also: ScrubSettings): Wanted {
  const key = `${also.email} ${also.ip}`;
  const known = WANTED.get(key);
  if (known !== undefined) return known;
  const inNames = ADDRESS_SHAPES.filter(({ setting }) => setting !== undefined && also[setting]);
  const made = { shapes: [...SECRET_SHAPES, ...inNames], inNames, clean: new Memory<true>() };
  WANTED.set(key, made);
  return made;
}

function scrubMember(name: string, member: unknown, removals: Removals): unknown {
  if (name === "detail") return scrubDetail(member, removals);
  if (name === "attachments" && Array.isArray(member)) {
    return member.map((file: unknown) => scrubFile(file, removals));
  }
  return name === "tags" ? scrubPairs(member, removals) : scrubValue(member, removals);
}

/** What a draft has fields for: the names in it are ours, and numbers are times, lines, a status. */
function scrubValue(value: unknown, removals: Removals): unknown {
  if (typeof value === "string") return scrubText(value, removals);
  if (Array.isArray(value)) return scrubList(value, removals, scrubValue);
  if (typeof value !== "object" || value === null) return value;
  const sent = value as Readonly<Record<string, unknown>>;
  let scrubbed: Record<string, unknown> | undefined;
  for (const name in sent) {
    const scrub = name === "headers" ? scrubPairs : SOURCE.has(name) ? scrubCode : scrubValue;
    const member = scrub(sent[name], removals);
    if (member === sent[name]) continue;
    scrubbed ??= { ...sent };
    scrubbed[name] = member;
  }
  return scrubbed ?? value;
}

type Scrub = (value: unknown, removals: Removals) => unknown;

/** The list itself where nothing of it was removed. */
function scrubList(list: readonly unknown[], removals: Removals, scrub: Scrub): readonly unknown[] {
  let scrubbed: unknown[] | undefined;
  for (const [at, sent] of list.entries()) {
    const item = scrub(sent, removals);
    if (item === sent) continue;
    scrubbed ??= [...list];
    scrubbed[at] = item;
  }
  return scrubbed ?? list;
}

/** What a sender sent as it liked: any name, and any number, may be a secret's. */
function scrubDetail(value: unknown, removals: Removals): unknown {
  if (typeof value === "string") return scrubText(value, removals);
  if (typeof value === "number") return isCardNumber(String(value)) ? removed(removals) : value;
  if (Array.isArray(value)) return scrubList(value, removals, scrubDetail);
  if (typeof value !== "object" || value === null) return value;
  let isChanged = false;
  const members = Object.entries(value).map(([sent, member]) => {
    const name = nameWithout(sent, removals.inNames);
    removals.count += removedBetween(sent, name);
    const scrubbed = (isSecretName(name) ? removeAll : scrubDetail)(member, removals);
    isChanged ||= name !== sent || scrubbed !== member;
    return [name, scrubbed] as const;
  });
  return isChanged ? Object.fromEntries(members) : value;
}

/** Pairs of a name and a value, as headers and tags are. What has another form is an ordinary value. */
function scrubPairs(pairs: unknown, removals: Removals): unknown {
  return Array.isArray(pairs) ? scrubList(pairs, removals, scrubPair) : scrubValue(pairs, removals);
}

function scrubPair(pair: unknown, removals: Removals): unknown {
  if (!Array.isArray(pair) || typeof pair[0] !== "string") return scrubValue(pair, removals);
  const [sent, ...values]: readonly [string, ...unknown[]] = pair as [string, ...unknown[]];
  const name = nameWithout(sent, removals.inNames);
  removals.count += removedBetween(sent, name);
  const scrubbed = scrubList(values, removals, isSecretName(name) ? removeAll : scrubValue);
  return scrubbed === values && name === sent ? pair : [name, ...scrubbed];
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

/** Source code: what is secret in it is written out. */
const SOURCE: ReadonlySet<string> = new Set(["source", "sourceBefore", "sourceAfter"]);

function scrubCode(value: unknown, removals: Removals): unknown {
  if (Array.isArray(value)) return scrubList(value, removals, scrubCode);
  return typeof value === "string" ? scrubText(value, removals, true) : value;
}

/** A file that came with it. Chance makes any shape in its bytes; one that is text is scrubbed, JSON as data is. */
function scrubFile(value: unknown, removals: Removals): unknown {
  if (typeof value !== "object" || value === null) return scrubValue(value, removals);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === "base64") return [name, member];
      const scrub = name === "text" && typeof member === "string" ? scrubFileText : scrubValue;
      return [name, scrub(member, removals)];
    }),
  );
}

function scrubFileText(text: string, removals: Removals): string {
  const scrubbed = scrubJson(text, {
    isSecretName,
    name: (name) => nameWithout(name, removals.inNames),
    text: (value) => textWithout(value, removals.shapes),
    isSecretNumber: isCardNumber,
  });
  if (scrubbed === undefined) return scrubText(text, removals);
  removals.count += removedBetween(text, scrubbed);
  return scrubbed;
}

function scrubText(text: string, removals: Removals, code = false): string {
  if (!code && removals.clean.get(text)) return text;
  const known = code ? undefined : removals.known.get(text);
  const scrubbed = known ?? textWithout(text, removals.shapes, code);
  if (!code) removals.known.set(text, scrubbed);
  if (!code && scrubbed === text) removals.clean.set(text, true);
  removals.count += removedBetween(text, scrubbed);
  return scrubbed;
}
