/**
 * Takes secrets out of a report before it is stored: values of fields with a secret's name, and values with a
 * secret's shape wherever they stand. Never throws, linear in the size of the report, and a scrubbed report scrubs to
 * itself. What it takes for a secret stands in `secrets.ts` and `secret-*.ts`.
 */
import type { Draft } from "./report.ts";
import { ADDRESS_SHAPES } from "./secret-addresses.ts";
import { isCardNumber } from "./secret-cards.ts";
import { scrubJson } from "./secret-json.ts";
import { isSecretName } from "./secret-names.ts";
import { nameWithout, removedBetween, shapesIn, textWithout } from "./secret-text.ts";
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
 * not changed.
 */
export function scrubReport<T extends Draft>(
  draft: T,
  also: ScrubSettings = SECRETS_ALONE,
): { value: T; scrubbed: number } {
  const inNames = ADDRESS_SHAPES.filter(({ setting }) => setting !== undefined && also[setting]);
  const shapes = [...SECRET_SHAPES, ...inNames];
  // Most reports have no sign of most secrets: looked for once in all of it, and not in each of its hundred texts. A file may
  // be JSON itself, with escapes of its own.
  const isWhole = draft.attachments !== undefined;
  const removals: Removals = {
    count: 0,
    shapes: isWhole ? shapes : shapesIn(JSON.stringify(draft), shapes),
    inNames,
    known: new Map(),
  };
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
  /** Texts that were scrubbed, and what stayed of them: the frames of a stack name the same few files. */
  readonly known: Map<string, string>;
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
  if (Array.isArray(value)) return value.map((item) => scrubValue(item, removals));
  if (typeof value !== "object" || value === null) return value;
  const scrubbed: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const scrub = name === "headers" ? scrubPairs : CODE.has(name) ? scrubCode : scrubValue;
    scrubbed[name] = scrub(member, removals);
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
      const name = nameWithout(sent, removals.inNames);
      removals.count += removedBetween(sent, name);
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

/** Source code: what is secret in it is written out. */
const CODE: ReadonlySet<string> = new Set(["source", "sourceBefore", "sourceAfter"]);

function scrubCode(value: unknown, removals: Removals): unknown {
  if (Array.isArray(value)) return value.map((line) => scrubCode(line, removals));
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
  const scrubbed =
    (code ? undefined : removals.known.get(text)) ?? textWithout(text, removals.shapes, code);
  if (!code) removals.known.set(text, scrubbed);
  removals.count += removedBetween(text, scrubbed);
  return scrubbed;
}
