/**
 * Tokens that only upload, in the form of Sentry's organization tokens: sentry-cli reads the
 * address and the organization from them, so it needs no `SENTRY_URL` and no `SENTRY_ORG`.
 * Source: getsentry/sentry-cli src/utils/auth_token/org_auth_token.rs.
 */
import { UPLOAD_TOKEN_PREFIX } from "../scrubbing/own-secrets.ts";

/**
 * The organization to name in tools: the host, as `errata-example`. Errata accepts any name, but
 * the plugins of bundlers keep the address of an organization for a week by its name, so two
 * deployments must not have the same one.
 */
export function toOrganization(origin: string): string {
  return new URL(origin).host.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

/** Where a deployment proves that it knows the token for its own maps, before it receives that. */
export const DEPLOYMENT_PATH = "/deployment.json";

/** The token: `sntrys_<base64 of JSON>_<secret>`. `secret` has 256 bits, in base64url. */
export function formatUploadToken({
  origin,
  nowMs,
  secret,
}: {
  origin: string;
  nowMs: number;
  secret: string;
}): string {
  const org = toOrganization(origin);
  const facts = { iat: nowMs / 1000, url: origin, region_url: origin, org };
  // Underscores separate the parts, so base64url cannot be used.
  const base64 = secret.replaceAll("-", "+").replaceAll("_", "/");
  return `${UPLOAD_TOKEN_PREFIX}${btoa(JSON.stringify(facts))}_${base64}`;
}
