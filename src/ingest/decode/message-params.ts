/**
 * Inserts the parameters of a log message into its template: `User ada was not found` for `User %s
 * was not found` and `["ada"]`. Reads the placeholders of C and Python (`%s`, `%(name)s`, `%1$s`,
 * `%.2f`) and of .NET, Rust, SLF4J and message templates (`{}`, `{0}`, `{name}`, `{total:N2}`,
 * `{@order}`). Linear in the template; never throws.
 */
import { asArray, asRecord } from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { toShownText } from "./shown-text.ts";

const PRINTF =
  /%%|%(?:\(([^()]{1,100})\)|(\d{1,2})\$)?[-+#0]{0,5}[\d.]{0,8}[hlLqjzt]{0,2}[A-Za-z@]/g;
/** The name without the format in `{@order}`, `{total:N2}`, `{total,10}` and `{name!r}`. */
const BRACES = /\{\{|\}\}|\{[@$]?(?:(\d{1,3})|([^{}:,!\s]{1,100}))?(?:[:,!][^{}]{0,100})?\}/g;

/**
 * The template with its parameters, a list or an object. Placeholders without a parameter stay as
 * they are, and so does a template without parameters. Ends after `limits.maxMessageChars`.
 */
export function insertParams(template: string, params: unknown): string {
  const find = createLookup(params);
  if (find === undefined) return template;
  const isPrintf = template.replaceAll("%%", "").search(PRINTF) !== -1;
  const names = new Map<string, number>();
  let unnamedCount = 0;
  let text = "";
  let end = 0;
  for (const match of template.matchAll(isPrintf ? PRINTF : BRACES)) {
    const [placeholder] = match;
    const [name, position] = isPrintf ? [match[1], match[2]] : [match[2], match[1]];
    text += template.slice(end, match.index);
    end = match.index + placeholder.length;
    if (text.length > limits.maxMessageChars) break;
    if (/^(?:%%|\{\{|\}\})$/.test(placeholder)) {
      text += placeholder.slice(1);
      continue;
    }
    // A list has no names: `{user} {total}` take its members in order.
    if (name !== undefined && !names.has(name)) names.set(name, names.size);
    const index =
      position !== undefined
        ? Number(position) - (isPrintf ? 1 : 0)
        : name !== undefined
          ? (names.get(name) ?? 0)
          : unnamedCount++;
    const value = find(index, name ?? position);
    text += value === undefined ? placeholder : toShownText(value, limits.maxStringChars).text;
  }
  return text + template.slice(end);
}

/** True for a list or an object with members. */
export function hasParams(params: unknown): boolean {
  return createLookup(params) !== undefined;
}

/** Finds a parameter by its name in an object, or by its index. Undefined without parameters. */
function createLookup(params: unknown): ((index: number, name?: string) => unknown) | undefined {
  const list = asArray(params);
  // Python sends the one dictionary of `%(name)s` in a list.
  const record = asRecord(params) ?? (list?.length === 1 ? asRecord(list[0]) : undefined);
  const values = list ?? Object.values(record ?? {});
  if (values.length === 0) return undefined;
  return (index, name) => {
    if (name !== undefined && record !== undefined && Object.hasOwn(record, name))
      return record[name];
    return name === undefined || list !== undefined ? values[index] : undefined;
  };
}
