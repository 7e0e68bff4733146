/**
 * The resource that a group of log records or spans shares. It is decoded once per group, and
 * limited, because each report of the group contains it. Source: OpenTelemetry semantic conventions
 * 1.45, resource: service, deployment, telemetry.sdk, browser.
 */

import { asRecord } from "../../core/decode/as-type.ts";
import type { Json, Platform, Side } from "../../core/report.ts";
import { truncateJson } from "../../core/truncate.ts";
import {
  filterAttributes,
  findAttribute,
  type OtlpAttributes,
  parseAttributes,
  toPlainObject,
} from "./otlp-attributes.ts";

/** A decoded resource. Only `detail` is truncated. */
export interface OtlpResource {
  readonly side: Side;
  /** The runtime of the sender, if it names one. */
  readonly platform: Platform | undefined;
  readonly release: string | undefined;
  readonly environment: string | undefined;
  /** The browser, if the resource is one. */
  readonly userAgent: string | undefined;
  readonly tags: readonly (readonly [name: string, value: string | undefined])[];
  /** As they were sent. */
  readonly attributes: OtlpAttributes;
  /** Its attributes, long values truncated. */
  readonly detail: Json | undefined;
}

/** Decodes a `Resource`; defaults to an unnamed server. */
export function parseResource(resource: unknown): OtlpResource {
  const attributes = parseAttributes(asRecord(resource)?.attributes);
  return {
    side: isBrowserResource(attributes) ? "browser" : "server",
    platform: toPlatform(findAttribute(attributes, LANGUAGE)),
    release: findAttribute(attributes, "service.version"),
    environment: findAttribute(attributes, "deployment.environment.name", "deployment.environment"),
    userAgent: findAttribute(attributes, "user_agent.original", "browser.user_agent"),
    attributes,
    tags: RESOURCE_TAGS.map((name) => [name, findAttribute(attributes, name)]),
    detail: limitAttributes(attributes),
  };
}

/**
 * Attributes as JSON of at most about 10 KB, because many reports contain it. Undefined if empty.
 */
export function limitAttributes(attributes: OtlpAttributes): Json | undefined {
  const filtered = filterAttributes(attributes);
  return filtered.size === 0
    ? undefined
    : truncateJson(toPlainObject(filtered), DETAIL_LIMITS).value;
}

const DETAIL_LIMITS = { maxDepth: 3, maxMembers: 50, maxValues: 100, maxStringChars: 200 };

const LANGUAGE = "telemetry.sdk.language";
const RESOURCE_TAGS = ["service.name", "service.namespace", "host.name", LANGUAGE];

/** Runtimes by the language of their SDK, as the conventions and senders beyond them name it. */
const PLATFORMS: ReadonlyMap<string, Platform> = new Map([
  ["cpp", "native"],
  ["dotnet", "dotnet"],
  ["elixir", "elixir"],
  ["erlang", "elixir"],
  ["go", "go"],
  ["java", "java"],
  ["kotlin", "java"],
  ["nodejs", "javascript"],
  ["php", "php"],
  ["python", "python"],
  ["ruby", "ruby"],
  ["rust", "rust"],
  ["swift", "native"],
  ["webjs", "javascript"],
]);

function toPlatform(language: string | undefined): Platform | undefined {
  return language === undefined ? undefined : (PLATFORMS.get(language.toLowerCase()) ?? "other");
}

function isBrowserResource(attributes: OtlpAttributes): boolean {
  if (findAttribute(attributes, LANGUAGE) === "webjs") return true;
  return [...attributes.keys()].some((key) => key.startsWith("browser."));
}
