/**
 * Removes the contents of XML elements and of multipart form fields with a secret name. Takes
 * linear time for any text.
 */
import { isEmptyValue } from "./field-values.ts";
import { isSecretName } from "./secret-names.ts";
import { REMOVED } from "./secret-patterns.ts";

/** `<password>x</password>`, also with a namespace, attributes or a CDATA section. */
const ELEMENT =
  /<((?:[A-Za-z_][\w.-]{0,40}:)?([A-Za-z_][\w.-]{0,99}))((?:\s[^<>]{0,400})?>\s{0,20}(?:<!\[CDATA\[)?)((?:[^<>\]]|\](?!\]>)){1,4000})(?=(?:\]\]>)?\s{0,20}<\/\1)/g;

/**
 * `name="password"`, the other headers of the part, an empty line, and the line of the value
 * (RFC 7578). Line ends may be escaped.
 */
const FORM_FIELD =
  /\bname=\\{0,3}"([^"\\\r\n]{1,100})\\{0,3}"(?:(?:\r?\n|\\r\\n|\\n)[\w-]{1,40}:[^\r\n\\]{0,200}){0,3}(?:\r?\n|\\r\\n|\\n){2}((?:(?!\\[rn])[^\r\n])+)/g;

/**
 * The text without the contents of secret elements and form fields. In source code (`isCode`)
 * elements with an expression or several words stay.
 */
export function scrubElements(text: string, isCode = false): string {
  let scrubbed = text;
  if (scrubbed.includes("</")) {
    scrubbed = scrubbed.replace(
      ELEMENT,
      (match: string, _tag: string, name: string, _open: string, value: string) =>
        isCode && /[\s{}]/.test(value) ? match : replaceValue(match, name, value),
    );
  }
  if (scrubbed.includes("name=")) {
    scrubbed = scrubbed.replace(FORM_FIELD, (match: string, name: string, value: string) =>
      replaceValue(match, name, value),
    );
  }
  return scrubbed;
}

/** Replaces the value, which must be at the end of the match. */
function replaceValue(match: string, name: string, value: string): string {
  if (!isSecretName(name) || isEmptyValue(value.trim())) return match;
  return match.slice(0, match.length - value.length) + REMOVED;
}
