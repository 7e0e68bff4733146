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

/** An expression, or the text between two literals, instead of a value. */
const CODE_VALUE = /^[\s+.,;:)\]}]|[\s{}]|^[$%]/;

/**
 * The text without the values of secret options. In source code (`isCode`) expressions and values
 * with spaces stay.
 */
export function scrubOptions(text: string, isCode = false): string {
  if (!text.includes("-")) return text;
  return text.replace(
    OPTION,
    (match: string, name: string, _gap: string, quote?: string, quoted?: string, word?: string) => {
      const value = quoted ?? word ?? "";
      const isKept =
        !isSecretOption(name) ||
        (isCode && CODE_VALUE.test(value)) ||
        value === REMOVED ||
        value.startsWith("-") ||
        /^[(<]/.test(value);
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

const CURL = /(?:^|[\\/])curl(?:\.exe)?$/;
const CURL_USER = /^(?:-[A-Za-z]{0,9}[uU]|--(?:proxy-)?user)$/;
/** A value that contains a password, alone or after its option. */
const CURL_USER_VALUE = /^(?<option>-[A-Za-z]{0,9}[uU]|--(?:proxy-)?user=)?[^\s:"']{1,100}:/;
const SSHPASS = /(?:^|[\\/])sshpass$/;
const MYSQL = /(?:^|[\\/])(?:mysql|mariadb)[\w.-]{0,20}$/;

/**
 * The arguments without the passwords of `curl -u user:password`, `mysql -ppassword` and
 * `sshpass -p password`, after the name of that program. Returns the list itself if it names none.
 */
export function scrubShortOptions(list: readonly unknown[]): readonly unknown[] {
  const curlAt = findProgram(list, CURL);
  const mysqlAt = findProgram(list, MYSQL);
  const sshpassAt = findProgram(list, SSHPASS);
  if (curlAt < 0 && mysqlAt < 0 && sshpassAt < 0) return list;
  return list.map((item, at) => {
    if (typeof item !== "string") return item;
    const isOfSshpass = sshpassAt >= 0 && (at === sshpassAt + 1 || at === sshpassAt + 2);
    if (isOfSshpass && list[at - 1] === "-p") return REMOVED;
    if (isOfSshpass || (mysqlAt >= 0 && at > mysqlAt))
      return item.replace(/^-p.+/s, `-p${REMOVED}`);
    return curlAt >= 0 && at > curlAt ? scrubCurlUser(item, list[at - 1]) : item;
  });
}

function findProgram(list: readonly unknown[], program: RegExp): number {
  return list.findIndex((item) => typeof item === "string" && program.test(item));
}

function scrubCurlUser(argument: string, previous: unknown): string {
  const match = CURL_USER_VALUE.exec(argument);
  const option = match?.groups?.option ?? "";
  const isValue = typeof previous === "string" && CURL_USER.test(previous);
  return match !== null && (option !== "" || isValue) ? option + REMOVED : argument;
}
