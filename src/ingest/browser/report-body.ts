/**
 * Describes the body of a browser report by type: its message and its fingerprint. Neither contains
 * the page's URL, because one error occurs on many pages.
 * Source: the specifications of the types; captured bodies in tests/fixtures/reports.* and nel.*.
 */
import { asNumber, asText, type JsonFields } from "../../core/decode/as-type.ts";
import { stripQuery, toUrlOrigin } from "../decode/urls.ts";

interface BodyDescription {
  readonly message: string;
  readonly level: string;
  /** Undefined if the report groups by type and message. */
  readonly fingerprint?: readonly string[];
}

type BodyDescriber = (body: BodyAccess) => BodyDescription;

/** A body, with functions that read it. */
interface BodyAccess {
  /** The report's type. */
  readonly type: string;
  /** The member's text, or a default. */
  readonly textOr: (member: string, otherwise: string) => string;
  /** The member's text; undefined if it has none. */
  readonly getText: (member: string) => string | undefined;
  /** The origin of the page, or of the request for a network error. */
  readonly origin: string;
  /** `5xx` for a status of 500 to 599; undefined below 400, and without a status. */
  readonly statusClass: string | undefined;
}

/**
 * The description of one body, also of an unknown type. `origin` is the origin of the report's URL.
 */
export function describeBody(
  type: string,
  body: JsonFields,
  origin: string | undefined,
): BodyDescription {
  const getText = (member: string) => asText(body[member]);
  const describe = Object.hasOwn(DESCRIBERS, type) ? DESCRIBERS[type] : undefined;
  const textOr = (member: string, otherwise: string) => getText(member) ?? otherwise;
  return (describe ?? describeOther)({
    type,
    getText,
    textOr,
    origin: origin ?? "an unknown origin",
    statusClass: toStatusClass(asNumber(body.status_code)),
  });
}

function toStatusClass(status = 0): string | undefined {
  return status >= 400 && status < 600 ? `${Math.floor(status / 100)}xx` : undefined;
}

const DESCRIBERS: Readonly<Record<string, BodyDescriber>> = {
  "network-error": ({ textOr, origin, statusClass }) => {
    const [kind, phase] = [textOr("type", "unknown"), textOr("phase", "unknown")];
    const request = `${textOr("method", "a request")} to ${origin}, phase ${phase}`;
    const fingerprint = ["network-error", kind, phase, origin];
    // A missing file and a failed server are two faults; 502 and 503 are often one outage.
    return kind === "http.error" && statusClass !== undefined
      ? {
          message: `${statusClass} for ${request}`,
          level: "error",
          fingerprint: [...fingerprint, statusClass],
        }
      : { message: request, level: "error", fingerprint };
  },
  crash: ({ getText, textOr, type }) => ({
    message: textOr("reason", "the page's process ended without a reason"),
    level: "fatal",
    // A stack, if there is one, distinguishes hangs.
    ...(getText("stack") === undefined && { fingerprint: [type, textOr("reason", "unknown")] }),
  }),
  coep: ({ type, textOr }) => {
    const blockedUrl = toUrlOrigin(textOr("blockedURL", "an unknown origin"));
    const [reason, destination] = [textOr("type", "unknown"), textOr("destination", "resource")];
    return {
      message: `${reason} blocked ${destination} of ${blockedUrl}`,
      level: "error",
      fingerprint: [type, reason, destination, blockedUrl],
    };
  },
  coop: ({ type, textOr }) => ({
    message: `${textOr("type", "violation")}, effective policy ${textOr("effectivePolicy", "unknown")}`,
    level: "warning",
    fingerprint: [type, textOr("type", "violation"), textOr("effectivePolicy", "unknown")],
  }),
  "integrity-violation": ({ type, textOr }) => {
    const blockedUrl = stripQuery(textOr("blockedURL", "an unknown URL"));
    return {
      message: `blocked ${textOr("destination", "resource")} ${blockedUrl}`,
      level: "error",
      fingerprint: [type, textOr("destination", "resource"), blockedUrl],
    };
  },
  "csp-hash": ({ type, textOr }) => {
    const file = stripQuery(textOr("subresourceURL", "an unknown URL"));
    return {
      message: `${textOr("destination", "resource")} ${file} is ${textOr("hash", "unknown")}`,
      level: "info",
      fingerprint: [type, file],
    };
  },
  "connection-allowlist": ({ type, textOr }) => {
    const target = toUrlOrigin(textOr("connection", "an unknown origin"));
    return {
      message: `blocked ${target}`,
      level: "error",
      fingerprint: [type, target],
    };
  },
};

/**
 * Deprecations, interventions, permissions and document policy violations, and unknown types: an id
 * (Chromium sends `policyId` instead of the specified `featureId`) and a message.
 */
function describeOther({ type, getText }: BodyAccess): BodyDescription {
  const id =
    getText("id") ??
    getText("policyId") ??
    getText("featureId") ??
    getText("type") ??
    getText("reason");
  const message = getText("message");
  return {
    message: [id, message].filter((part) => part !== undefined).join(": "),
    level: "warning",
    ...(id !== undefined && { fingerprint: [type, id] }),
  };
}
