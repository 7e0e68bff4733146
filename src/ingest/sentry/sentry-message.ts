/**
 * The message of a Sentry event: `message` or `logentry`, each as text or as a template with
 * parameters.
 * Source: Sentry develop docs › Event Payloads › Message.
 */
import { asRecord, asText, type JsonFields } from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import type { LogTemplate } from "../../core/report.ts";
import { hasParams, insertParams } from "../decode/message-params.ts";
import type { Truncations } from "../decode/truncations.ts";

/** A message, and its template if the sender formatted it from one. */
interface SentryMessage {
  readonly message?: string;
  readonly template?: LogTemplate;
}

/** The message of an event; empty without one. Prefers the text that the sender formatted. */
export function parseMessage(fields: JsonFields, truncations: Truncations): SentryMessage {
  const sent = [fields.message, fields.logentry];
  const entries = sent.map(asRecord).filter((entry) => entry !== undefined);
  const entry = entries.find((one) => asText(one.message ?? one.formatted) !== undefined);
  const limit = (value: unknown) => truncations.limitText("message", value, limits.maxMessageChars);
  const text = limit(entry?.message);
  // Raven sends the formatted text besides the template, other SDKs repeat the template.
  const plain = limit(sent.find((value) => asText(value) !== undefined));
  const formatted = limit(entry?.formatted) ?? (plain === text ? undefined : plain);
  const params = entry?.params;
  if (text === undefined) {
    const message = formatted ?? limitUnknownMessage(entries, sent, truncations);
    return message === undefined ? {} : { message };
  }
  const message = formatted ?? limit(insertParams(text, params)) ?? text;
  const isTemplate = hasParams(params) || message !== text;
  return { message, ...(isTemplate && { template: createTemplate(text, params, truncations) }) };
}

function createTemplate(text: string, params: unknown, truncations: Truncations): LogTemplate {
  if (!hasParams(params)) return { text };
  return { text, params: truncations.limitAnyJson("template", params) };
}

const KNOWN_MEMBERS: ReadonlySet<string> = new Set(["message", "formatted", "params"]);

/** A message in a shape that no SDK sends is shown as JSON. */
function limitUnknownMessage(
  entries: readonly JsonFields[],
  sent: readonly unknown[],
  truncations: Truncations,
): string | undefined {
  const list = sent.find((value) => Array.isArray(value) && value.length > 0);
  const entry = entries.find((one) => Object.keys(one).some((name) => !KNOWN_MEMBERS.has(name)));
  const value = entry ?? list;
  return truncations.limitShown("message", value, limits.maxMessageChars);
}
