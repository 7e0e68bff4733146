/** A text without its secrets: by shape, by name, and both behind the escapes of an address. Linear, and never throws. */
import { withoutEscaped } from "./secret-escapes.ts";
import { withoutNamed } from "./secret-fields.ts";
import { REMOVED, type SecretShape } from "./secrets.ts";

/** How many values were removed: one that was found within another is gone with it. */
export function removedBetween(before: string, after: string): number {
  if (before === after) return 0;
  return Math.max(1, after.split(REMOVED).length - before.split(REMOVED).length);
}

const MAX_PASSES = 4;
/** Escapes of escapes that are read. */
const MAX_ESCAPED = 3;

/** The text without these shapes and without what it names, also behind escapes. `code`: what is secret is written out. */
export function textWithout(text: string, shapes: readonly SecretShape[], code = false): string {
  return untilNothing(text, (before) => passOver(before, shapes, code, MAX_ESCAPED));
}

/** A name without these shapes. */
export function nameWithout(name: string, shapes: readonly SecretShape[]): string {
  return shapes.length === 0 ? name : untilNothing(name, (before) => withoutShapes(before, shapes));
}

/** Until nothing more is found: once a secret is out, what stood around it may have the shape of another. */
function untilNothing(text: string, scrub: (before: string) => string): string {
  let scrubbed = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = scrubbed;
    scrubbed = scrub(before);
    if (scrubbed === before) break;
  }
  return scrubbed;
}

function mayHave(text: string, sign: SecretShape["sign"]): boolean {
  if (sign === undefined) return true;
  return typeof sign === "string" ? text.includes(sign) : sign.test(text);
}

function passOver(
  text: string,
  shapes: readonly SecretShape[],
  code: boolean,
  escapedLeft: number,
): string {
  const plain = withoutNamed(withoutShapes(text, shapes), code);
  if (escapedLeft === 0) return plain;
  return withoutEscaped(plain, (said) => passOver(said, shapes, code, escapedLeft - 1));
}

function withoutShapes(text: string, shapes: readonly SecretShape[]): string {
  let scrubbed = text;
  for (const { sign, pattern, secretIn } of shapes) {
    if (!mayHave(scrubbed, sign)) continue;
    scrubbed = scrubbed.replace(pattern, (match: string, ...rest: readonly unknown[]) => {
      const found = secretGroup(rest.at(-1)) ?? match;
      const secret = secretIn === undefined ? found : secretIn(found);
      return secret === undefined ? match : match.replace(secret, REMOVED);
    });
  }
  return scrubbed;
}

function secretGroup(groups: unknown): string | undefined {
  if (typeof groups !== "object" || groups === null || !("secret" in groups)) return undefined;
  return typeof groups.secret === "string" ? groups.secret : undefined;
}
