/**
 * Removes the values of secret options that follow their names: `--password hunter2`, and
 * `["--password", "hunter2"]` in a list of arguments. Linear for any text.
 */
import { isSentence } from "./field-values.ts";
import { isSecretOption } from "./secret-names.ts";
import { REMOVED } from "./secret-patterns.ts";

/** An option and its value: after blanks and perhaps a quote, or as the next quoted text. */
const OPTION =
  /(?<![\w-])--?([a-z][\w-]{0,60})(\s{1,4}|\\{0,7}["']\s{0,4},\s{0,20}\\{0,7}(?=["']))(?:(["'])([^"'\\\r\n]{1,1000})|([^\s"'\\,;<>()[\]{}|&-][^\s"'\\,;<>()|&]{0,1000}))/gi;

/** The text without the values of secret options. */
export function scrubOptions(text: string): string {
  if (!text.includes("-")) return text;
  return text.replace(
    OPTION,
    (match: string, name: string, _gap: string, quote?: string, quoted?: string, word?: string) => {
      const value = quoted ?? word ?? "";
      const isKept =
        !isSecretOption(name) || value === REMOVED || value.startsWith("-") || /^[(<]/.test(value);
      if (isKept || (quote === undefined && isSentence(value))) return match;
      return match.slice(0, match.length - value.length) + REMOVED;
    },
  );
}

/** True for an option in a list of arguments. */
export function isOptionText(argument: unknown): boolean {
  return typeof argument === "string" && argument.startsWith("-");
}

/** True for an option whose value is the next argument of the list and secret. */
export function isSecretOptionText(argument: unknown): boolean {
  const name = typeof argument === "string" ? /^--?([a-z][\w-]{0,60})$/i.exec(argument)?.[1] : "";
  return name !== undefined && isSecretOption(name);
}
