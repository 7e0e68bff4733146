/** Recognizes payment card numbers by issuer prefix, length and check digit (ISO/IEC 7812). */

/**
 * Visa; American Express, Diners Club, JCB; Mastercard and Maestro; Discover and UnionPay. Numbers
 * of other lengths are ids, such as Discord's with 18 digits.
 */
const ISSUER_RANGES =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|3(?:[47]\d{13}|(?:0[0-59]|[689]\d)\d{11}|5(?:2[89]|[3-8]\d)\d{12})|(?:5[0-8]\d\d|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720))\d{12}|6(?:\d{15}|\d{18}))$/;

const SEPARATORS = /[ .\u00a0\u2009\u202f-]/g;
const LAST_GROUP = /[ .\u00a0\u2009\u202f-]\d+$/;

/** Dots separate the printed groups. Any other number with a dot is a decimal. */
const DOTTED_GROUPS = /^\d{4}(?:(?:\.\d{4}){3}|\.\d{6}\.\d{4,5})$/;

/**
 * True for 13 to 16 or 19 digits with an issuer's prefix and a valid check digit (Luhn). Ignores
 * spaces and dashes, and dots between the printed groups.
 */
export function isCardNumber(text: string): boolean {
  if (text.includes(".") && !DOTTED_GROUPS.test(text)) return false;
  const digits = text.replace(SEPARATORS, "");
  if (!ISSUER_RANGES.test(digits)) return false;
  let sum = 0;
  for (let fromEnd = 0; fromEnd < digits.length; fromEnd++) {
    const digit = Number(digits.at(-1 - fromEnd));
    const weighted = fromEnd % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

/**
 * The card number at the start of a run of digits: the whole run, or its first groups, because a
 * date or a code often follows. Undefined without a card number.
 */
export function findCardNumber(text: string): string | undefined {
  for (let end = text.length; end > 0; end = text.slice(0, end).search(LAST_GROUP)) {
    const groups = text.slice(0, end);
    if (isCardNumber(groups)) return groups;
  }
  return undefined;
}
