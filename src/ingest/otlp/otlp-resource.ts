/**
 * Where OTLP items come from: the resource that a group of log records or spans shares. It is read once a group, and small,
 * because each report of the group carries it.
 * Source: OpenTelemetry semantic conventions 1.45, resource: service, deployment, telemetry.sdk, browser.
 */

import { asRecord } from "../../core/decode/as-type.ts";
import type { Json, Side } from "../../core/report.ts";
import { truncateJson } from "../../core/truncate.ts";
import {
  filterAttributes,
  findAttribute,
  type OtlpAttributes,
  parseAttributes,
  toPlainObject,
} from "./otlp-attributes.ts";

/** What a resource says of everything that came from it. Nothing is cut yet, except `detail`. */
export interface OtlpResource {
  readonly side: Side;
  readonly release: string | undefined;
  readonly environment: string | undefined;
  /** The browser, where the resource is one. */
  readonly userAgent: string | undefined;
  readonly tags: readonly (readonly [name: string, value: string | undefined])[];
  /** Its attributes, the long ones cut short. */
  readonly detail: Json | undefined;
}

/** The origin of a `Resource`; of none, a server that says nothing of itself. */
export function parseResource(resource: unknown): OtlpResource {
  const attributes = parseAttributes(asRecord(resource)?.attributes);
  return {
    side: isBrowserResource(attributes) ? "browser" : "server",
    release: findAttribute(attributes, "service.version"),
    environment: findAttribute(attributes, "deployment.environment.name", "deployment.environment"),
    userAgent: findAttribute(attributes, "user_agent.original", "browser.user_agent"),
    tags: RESOURCE_TAGS.map((name) => [name, findAttribute(attributes, name)]),
    detail: limitAttributes(attributes),
  };
}

/** Attributes as JSON that many reports can carry: at most some 10 KB. Undefined when nothing is in them. */
export function limitAttributes(attributes: OtlpAttributes): Json | undefined {
  const filtered = filterAttributes(attributes);
  return filtered.size === 0
    ? undefined
    : truncateJson(toPlainObject(filtered), DETAIL_LIMITS).value;
}

const DETAIL_LIMITS = { maxDepth: 3, maxMembers: 50, maxValues: 100, maxStringChars: 200 };

const RESOURCE_TAGS = ["service.name", "service.namespace", "host.name", "telemetry.sdk.language"];

function isBrowserResource(attributes: OtlpAttributes): boolean {
  if (findAttribute(attributes, "telemetry.sdk.language") === "webjs") return true;
  return [...attributes.keys()].some((key) => key.startsWith("browser."));
}
