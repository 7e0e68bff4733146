/**
 * What the body of a browser's report says, type by type: what reads well behind the type, and by what reports group. The page's
 * URL is in neither, since one fault is seen on many pages.
 * Source: the specifications of the types, and bodies as on the wire in tests/fixtures/reports.* and nel.*.
 */
import { type Fields, textOf } from "./decode.ts";
import { originOf, withoutQuery } from "./urls.ts";

/** The reading of one body. */
export interface BodySays {
  readonly message: string;
  readonly level: string;
  /** Undefined where type and message must do. */
  readonly fingerprint?: readonly string[];
}

type Reader = (body: Reading) => BodySays;

/** A body, and what its reader needs beside it. */
interface Reading {
  /** The report's type. */
  readonly type: string;
  /** The member's text, or a word that reads well in its place. */
  readonly say: (member: string, otherwise: string) => string;
  /** Undefined when the body has no such text. */
  readonly text: (member: string) => string | undefined;
  /** The origin of the page, or of the request for a network error. */
  readonly origin: string;
}

/** The sentence and the grouping of one body. `origin` is that of the report's URL. Unknown types are read too. */
export function bodySays(type: string, body: Fields, origin: string | undefined): BodySays {
  const text = (member: string) => textOf(body[member]);
  const read = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  const say = (member: string, otherwise: string) => text(member) ?? otherwise;
  return (read ?? sayOther)({ type, text, say, origin: origin ?? "an unknown origin" });
}

const READERS: Readonly<Record<string, Reader>> = {
  "network-error": ({ say, origin }) => {
    const [kind, phase] = [say("type", "unknown"), say("phase", "unknown")];
    return {
      message: `${say("method", "a request")} to ${origin}, phase ${phase}`,
      level: "error",
      fingerprint: ["network-error", kind, phase, origin],
    };
  },
  crash: ({ text, say, type }) => ({
    message: say("reason", "the page's process ended without a reason"),
    level: "fatal",
    // A hanging page may tell its stack, and then that is what tells hangs apart.
    ...(text("stack") === undefined && { fingerprint: [type, say("reason", "unknown")] }),
  }),
  coep: ({ type, say }) => {
    const blocked = originOf(say("blockedURL", "an unknown origin"));
    const [why, what] = [say("type", "unknown"), say("destination", "resource")];
    return {
      message: `${why} blocked ${what} of ${blocked}`,
      level: "error",
      fingerprint: [type, why, what, blocked],
    };
  },
  coop: ({ type, say }) => ({
    message: `${say("type", "violation")}, effective policy ${say("effectivePolicy", "unknown")}`,
    level: "warning",
    fingerprint: [type, say("type", "violation"), say("effectivePolicy", "unknown")],
  }),
  "integrity-violation": ({ type, say }) => {
    const blocked = withoutQuery(say("blockedURL", "an unknown URL"));
    return {
      message: `blocked ${say("destination", "resource")} ${blocked}`,
      level: "error",
      fingerprint: [type, say("destination", "resource"), blocked],
    };
  },
  "csp-hash": ({ type, say }) => {
    const file = withoutQuery(say("subresourceURL", "an unknown URL"));
    return {
      message: `${say("destination", "resource")} ${file} is ${say("hash", "unknown")}`,
      level: "info",
      fingerprint: [type, file],
    };
  },
  "connection-allowlist": ({ type, say }) => {
    const target = originOf(say("connection", "an unknown origin"));
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
function sayOther({ type, text }: Reading): BodySays {
  const id = text("id") ?? text("policyId") ?? text("featureId") ?? text("type") ?? text("reason");
  const message = text("message");
  return {
    message: [id, message].filter((part) => part !== undefined).join(": "),
    level: "warning",
    ...(id !== undefined && { fingerprint: [type, id] }),
  };
}
