import { describe, expect, it } from "vitest";
import { isSecretName } from "#src/core/scrubbing/secret-names.ts";

describe("a name", () => {
  const secret = [
    "password",
    "user_passwd",
    "X-Api-Key",
    "apikey",
    "api_key",
    "accessToken",
    "refresh-token",
    "client_secret",
    "auth",
    "authHeader",
    "session",
    "sessionId",
    "JWT",
    "signature",
    "X-Amz-Signature",
    "sig",
    "private_key",
    "AWS_ACCESS_KEY_ID",
    "credentials",
    "Authorization",
    "proxy-authorization",
    "Cookie",
    "set-cookie",
    "x-csrf-token",
    "cf-access-jwt-assertion",
    "pwd",
    "card_number",
  ];
  const harmless = [
    "author",
    "authority",
    "user",
    "key",
    "code",
    "monkey",
    "assign",
    "design",
    "signal",
    "digest",
    "compass",
    "host",
    "cf-ray",
    "referer",
    "pinned",
    "x".repeat(500),
  ];
  for (const name of secret) it(`is secret: ${name}`, () => expect(isSecretName(name)).toBe(true));
  for (const name of harmless)
    it(`is not secret: ${name.slice(0, 20)}`, () => expect(isSecretName(name)).toBe(false));
});
