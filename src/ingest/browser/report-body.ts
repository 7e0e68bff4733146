/**
 * What the body of a browser's report says, type by type: what reads well behind the type, and by what reports group. The page's
 * URL is in neither, since one fault is seen on many pages.
 * Source: the specifications of the types, and bodies as on the wire in tests/fixtures/reports.* and nel.*.
 */
import { asText, type JsonFields } from "../../core/decode/as-type.ts";
import { stripQuery, toUrlOrigin } from "../decode/urls.ts";

/** The reading of one body. */
export interface BodyDescription {
  readonly message: string;
  readonly level: string;
  /** Undefined where type and message must do. */
  readonly fingerprint?: readonly string[];
}

type BodyDescriber = (body: BodyAccess) => BodyDescription;

/** A body, and what its reader needs beside it. */
interface BodyAccess {
  /** The report's type. */
  readonly type: string;
  /** The member's text, or a word that reads well in its place. */
  readonly textOr: (member: string, otherwise: string) => string;
  /** Undefined when the body has no such text. */
  readonly getText: (member: string) => string | undefined;
  /** The origin of the page, or of the request for a network error. */
  readonly origin: string;
}

/** The sentence and the grouping of one body. `origin` is that of the report's URL. Unknown types are read too. */
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
  });
}

const DESCRIBERS: Readonly<Record<string, BodyDescriber>> = {
  "network-error": ({ textOr, origin }) => {
    const [kind, phase] = [textOr("type", "unknown"), textOr("phase", "unknown")];
    return {
      message: `${textOr("method", "a request")} to ${origin}, phase ${phase}`,
      level: "error",
      fingerprint: ["network-error", kind, phase, origin],
    };
  },
  crash: ({ getText, textOr, type }) => ({
    message: textOr("reason", "the page's process ended without a reason"),
    level: "fatal",
    // A hanging page may tell its stack, and then that is what tells hangs apart.
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
 * Deprecations, interventions, violations of permissions and document policies, and types that are not known yet: an id
 * (Chromium writes `policyId` where the specification says `featureId`) and a message.
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
