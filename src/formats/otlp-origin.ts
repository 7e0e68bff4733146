/**
 * Where OTLP items come from: the resource that a group of log records or spans shares. It is read once a group, and small,
 * because each report of the group carries it.
 * Source: OpenTelemetry semantic conventions 1.45, resource: service, deployment, telemetry.sdk, browser.
 */
import { cutJson } from "../core/cut.ts";
import type { Json, Side } from "../core/report.ts";
import { recordOf } from "./decode.ts";
import {
  type Attributes,
  attribute,
  attributesOf,
  keptAttributes,
  plainAttributes,
} from "./otlp-attributes.ts";

/** What a resource says of everything that came from it. Nothing is cut yet, except `detail`. */
export interface Origin {
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
export function originOf(resource: unknown): Origin {
  const attributes = attributesOf(recordOf(resource)?.attributes);
  return {
    side: isBrowser(attributes) ? "browser" : "server",
    release: attribute(attributes, "service.version"),
    environment: attribute(attributes, "deployment.environment.name", "deployment.environment"),
    userAgent: attribute(attributes, "user_agent.original", "browser.user_agent"),
    tags: TAGS.map((name) => [name, attribute(attributes, name)]),
    detail: shortDetail(attributes),
  };
}

/** Attributes as JSON that many reports can carry: at most some 10 KB. Undefined when nothing is in them. */
export function shortDetail(attributes: Attributes): Json | undefined {
  const kept = keptAttributes(attributes);
  return kept.size === 0 ? undefined : cutJson(plainAttributes(kept), SHORT).value;
}

const SHORT = { maxDepth: 3, maxMembers: 50, maxValues: 100, maxStringChars: 200 };

const TAGS = ["service.name", "service.namespace", "host.name", "telemetry.sdk.language"];

function isBrowser(attributes: Attributes): boolean {
  if (attribute(attributes, "telemetry.sdk.language") === "webjs") return true;
  return [...attributes.keys()].some((key) => key.startsWith("browser."));
}
