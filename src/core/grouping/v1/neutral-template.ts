/** Grouping, version 1: log messages. The statement that logged identifies them, not the values. */

/** Placeholders of printf, of Python's names, and of braces (SLF4J, Serilog, .NET). */
const PLACEHOLDER =
  /%\(\w{1,60}\)[-#0 +]{0,3}\d{0,3}(?:\.\d{1,3})?[a-z]|%(?:\d{1,2}\$)?[-#0 +]{0,3}\d{0,3}(?:\.\d{1,3})?[a-z]|\{[^{}\s]{0,80}\}/gi;

/** The template with "*" for each placeholder; undefined if it has none, or no word. */
export function toNeutralTemplate(template: string): string | undefined {
  const replaced = template.replace(PLACEHOLDER, "*");
  return replaced !== template && /\p{L}{2,}/u.test(replaced) ? replaced : undefined;
}
