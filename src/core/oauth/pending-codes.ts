/**
 * Codes that the registry's object keeps until they are exchanged for a token: of an authorization
 * request, and of a device (RFC 8628). Of the codes themselves only hashes are stored. Their copies
 * are never in KV.
 */
import * as v from "valibot";
import { ROLES } from "../accounts/registry.ts";
import { defineStored } from "../schema/stored.ts";
import {
  choice,
  flag,
  type StoredValue,
  storedObject,
  text,
  timeMs,
  variant,
  version1,
} from "../schema/stored-object.ts";

/** How long an authorization code is valid (OAuth 2.1 § 4.1.2 recommends at most ten minutes). */
export const CODE_MS = 60_000;
/** How long a device waits for its person (RFC 8628 § 3.2). */
export const DEVICE_CODE_MS = 600_000;
/** How often a device may ask, in seconds; and what is added if it asks more often (§ 3.5). */
export const POLL_SECONDS = 5;
/** How long a used code is remembered: another use of it ends the grant (OAuth 2.1 § 4.1.3). */
export const REMEMBER_CODE_MS = 86_400_000;
/** The lifetime of an access token. A program that is in use refreshes it once a day. */
export const ACCESS_TOKEN_MS = 86_400_000;

const resourceSchema = variant("kind", [
  storedObject({ kind: v.literal("mcp"), project: text() }),
  storedObject({ kind: v.literal("all") }),
]);

/** What a decided code is exchanged for. */
const decidedEntries = {
  /** The id of the grant. */
  grant: text(),
  /** When the grant ends. */
  endsMs: timeMs,
};

const authorizationCodeSchema = storedObject({
  v: version1,
  kind: v.literal("authorization"),
  ...decidedEntries,
  client: text(),
  redirectUri: text(),
  challenge: text(),
  resource: resourceSchema,
  expiresMs: timeMs,
  isUsed: v.optional(flag),
});

const deviceCodeSchema = storedObject({
  v: version1,
  kind: v.literal("device"),
  client: text(),
  clientName: text(),
  /** What its scopes need. */
  role: choice(ROLES),
  mayUpload: v.optional(v.boolean()),
  resource: resourceSchema,
  /** The network address of the request, for the person who decides; empty if it is unknown. */
  address: text(),
  createdMs: timeMs,
  expiresMs: timeMs,
  decision: v.optional(
    variant("kind", [
      storedObject({ kind: v.literal("denied") }),
      storedObject({ kind: v.literal("allowed"), ...decidedEntries }),
      /** Its tokens were fetched. */
      storedObject({ kind: v.literal("used") }),
    ]),
  ),
});

export type AuthorizationCode = StoredValue<typeof authorizationCodeSchema>;
export type DeviceCode = StoredValue<typeof deviceCodeSchema>;
export type PendingCode = AuthorizationCode | DeviceCode;

/** The stored codes. */
export const PENDING_CODE = /* @__PURE__ */ defineStored<PendingCode>({
  name: "a code of OAuth",
  version: 1,
  schema: /* @__PURE__ */ variant("kind", [authorizationCodeSchema, deviceCodeSchema]),
});
