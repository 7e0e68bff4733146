/**
 * The template of a log message, from the attributes in which logging libraries send it:
 * Microsoft.Extensions.Logging, Serilog, the message templates of other languages, and the name
 * proposed in the semantic conventions. Never throws.
 */

import type { JsonFields } from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { LogTemplate } from "../../core/report.ts";
import { insertParams } from "../decode/message-params.ts";
import type { Truncations } from "../decode/truncations.ts";
import {
  findAttribute,
  type OtlpAttributes,
  TEMPLATE_ATTRIBUTES,
  toPlainValue,
} from "./otlp-attributes.ts";

/** Names in `{User}`, `{@Order:0.00}`, `{Total,10}`, `%(user)s` and `%{user}`. */
const NAME =
  /\{[@$]?([\w.-]{1,100})(?:[,:][^{}]{0,100})?\}|%\(([\w.-]{1,100})\)|%\{([\w.-]{1,100})\}/g;

/** The template of a record and the attributes that it names. Undefined if none was sent. */
export function parseLogTemplate(
  attributes: OtlpAttributes,
  truncations: Truncations,
): LogTemplate | undefined {
  const sent = findAttribute(attributes, ...TEMPLATE_ATTRIBUTES);
  const text = truncations.limitText("template", sent, limits.maxMessageChars);
  if (text === undefined) return undefined;
  return omitUndefined({
    text,
    params: truncations.limitJson("template", findParams(text, attributes)),
  });
}

/**
 * The message of a record whose body is its template, with the values of the attributes. Otherwise
 * the body.
 */
export function formatLogMessage(body: string, attributes: OtlpAttributes): string {
  if (body !== findAttribute(attributes, ...TEMPLATE_ATTRIBUTES)) return body;
  return insertParams(body, findParams(body, attributes));
}

function findParams(template: string, attributes: OtlpAttributes): JsonFields {
  const params: Record<string, unknown> = {};
  for (const [, braces, percent, both] of template.matchAll(NAME)) {
    const name = braces ?? percent ?? both ?? "";
    if (attributes.has(name)) params[name] = toPlainValue(attributes.get(name));
  }
  return params;
}
