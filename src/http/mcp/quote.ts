/**
 * Outputs of operations as models read them. Every text that a sender or a member wrote is an object
 * with its author, so that it is not taken for a word of Errata, and every character of it can be
 * seen. Times are as in `/api/v1`.
 */
import { truncateText } from "../../core/truncate.ts";
import { TRUST_LEVELS, type Trust } from "../../core/trust/trust.ts";
import { formatRfc3339 } from "../../core/utc-time.ts";
import { showInvisible } from "../../core/visible-text.ts";
import {
  findVariantOption,
  isTime,
  readFacts,
  type SchemaNode,
} from "../../operations/provenance.ts";
import {
  applyTrustFloor,
  isReported,
  type ReplacedText,
  type WithheldText,
} from "../../operations/trust-floor.ts";
import { toApiName } from "../api/api-output.ts";

/** Who wrote a quoted text: senders of reports of a trust level, or a member. */
export const QUOTED_AUTHORS = [...TRUST_LEVELS, "member"] as const;
export type QuotedAuthor = (typeof QUOTED_AUTHORS)[number];

/** Text by others. What is no text is there as JSON. */
export interface Quote {
  readonly writtenBy: QuotedAuthor;
  readonly text: string;
  readonly isCut?: true;
}

/** A value of structured content: JSON with quotes. */
export type Quoted =
  | string
  | number
  | boolean
  | null
  | Quote
  | WithheldText
  | readonly Quoted[]
  | { readonly [name: string]: Quoted };

/** How much of a value is shown. */
interface QuoteOptions {
  /** The lowest level whose text is shown. */
  readonly floor: Trust;
  /** Names of members that are left out, wherever they are. */
  readonly omits?: readonly string[];
  /** The greatest length of a value as JSON, in UTF-16 units. */
  readonly maxChars: number;
}

/** A quoted value, and what is missing from it. */
export interface QuotedValue {
  readonly value: Quoted;
  /** Texts whose end is missing, and items of lists that are. */
  readonly cutTexts: number;
  readonly cutItems: number;
}

/** The greatest length of a text and of a list, from generous to the shortest. */
const CUTS = [
  ...[
    [8_000, 200],
    [4_000, 100],
    [2_000, 60],
    [1_200, 40],
    [800, 30],
    [500, 24],
    [300, 18],
  ],
  ...[
    [200, 12],
    [120, 8],
    [80, 5],
    [50, 3],
    [30, 2],
    [16, 1],
    [8, 1],
  ],
] as const;

/** The value as quotes, cut until it is short enough. `measure` is the length of a quoted value. */
export function quoteValue(
  node: SchemaNode,
  value: unknown,
  { floor, omits = [], maxChars }: QuoteOptions,
  measure: (value: Quoted) => number,
): QuotedValue {
  const unlimited = { floor, maxChars: Number.POSITIVE_INFINITY, quotesServer: true } as const;
  const shown = applyTrustFloor(node, value, unlimited);
  let quoted: QuotedValue = { value: null, cutTexts: 0, cutItems: 0 };
  for (const [maxText = 0, maxItems = 0] of CUTS) {
    const quoter = new Quoter(maxText, maxItems, new Set(omits));
    const copy = quoter.quote(node, shown) ?? null;
    quoted = { value: copy, cutTexts: quoter.cutTexts, cutItems: quoter.cutItems };
    if (measure(copy) <= maxChars) break;
  }
  return quoted;
}

class Quoter {
  readonly #maxText: number;
  readonly #maxItems: number;
  readonly #omits: ReadonlySet<string>;
  cutTexts = 0;
  cutItems = 0;
  /** Texts of others, and texts of Errata, that were shown. */
  #shown = 0;
  #withheld = 0;

  constructor(maxText: number, maxItems: number, omits: ReadonlySet<string>) {
    this.#maxText = maxText;
    this.#maxItems = maxItems;
    this.#omits = omits;
  }

  /** Undefined for what the schema does not declare. */
  quote(node: SchemaNode, value: unknown): Quoted | undefined {
    if (value === null || value === undefined) return value;
    // `applyTrustFloor` has replaced it.
    if (isReported(node)) return this.#quoteReported(value as ReplacedText);
    const { wrapped, item, items, value: memberNode } = node;
    if (wrapped !== undefined) return this.quote(wrapped, value);
    if (typeof value === "number" && isTime(node)) return formatRfc3339(value);
    if (typeof value === "string") return this.#quoteText(node, value);
    if (typeof value === "number" || typeof value === "boolean") return value;
    if (Array.isArray(value)) {
      if (item === undefined)
        return items?.map((one, n) => this.quote(one, value[n]) ?? null) ?? undefined;
      return this.#quoteList(item, value);
    }
    if (typeof value !== "object") return undefined;
    if (memberNode !== undefined)
      return toObject(Object.entries(value), (one) => this.quote(memberNode, one));
    return this.#quoteObject(node, value);
  }

  /** A list of which nothing but withheld text would be shown has one item. */
  #quoteList(item: SchemaNode, value: readonly unknown[]): readonly Quoted[] {
    const [shownBefore, withheldBefore] = [this.#shown, this.#withheld];
    const items = value.slice(0, this.#maxItems).map((one) => this.quote(item, one) ?? null);
    if (this.#shown === shownBefore && this.#withheld > withheldBefore) return items.slice(0, 1);
    this.cutItems += Math.max(0, value.length - this.#maxItems);
    return items;
  }

  #quoteObject(node: SchemaNode, value: object): Quoted | undefined {
    const option = node.type === "variant" ? findVariantOption(node, value) : node;
    if (option?.entries === undefined) return undefined;
    const members = Object.entries(option.entries).filter(([name]) => !this.#omits.has(name));
    return Object.fromEntries(
      members.flatMap(([name, one]) => {
        const member = this.quote(one, Reflect.get(value, name));
        return member === undefined ? [] : [[toApiName(name, one), member]];
      }),
    );
  }

  #quoteReported(value: ReplacedText): Quote | WithheldText {
    if ("text" in value) return this.#cut(value.writtenBy, value.text);
    this.#withheld++;
    return value;
  }

  #quoteText(node: SchemaNode, text: string): Quoted {
    if (readFacts(node)["x-written-by"] === "member") return this.#cut("member", text);
    if (node.type === "string") this.#shown++;
    return text;
  }

  #cut(writtenBy: QuotedAuthor, whole: string): Quote {
    this.#shown++;
    const visible = showInvisible(whole);
    const text = truncateText(visible, this.#maxText);
    if (text === visible) return { writtenBy, text };
    this.cutTexts++;
    return { writtenBy, text, isCut: true };
  }
}

function toObject(
  entries: readonly (readonly [string, unknown])[],
  quote: (value: unknown) => Quoted | undefined,
): Quoted {
  return Object.fromEntries(entries.map(([name, one]) => [name, quote(one) ?? null]));
}

/** True for text by others. */
export function isQuote(value: unknown): value is Quote {
  return typeof value === "object" && value !== null && "writtenBy" in value && "text" in value;
}

/** True for what is in place of text below the floor. */
export function isWithheld(value: unknown): value is WithheldText {
  return typeof value === "object" && value !== null && "withheld" in value;
}
