// Signatures of webhooks, with the examples of the services' own documentation.
import { describe, expect, it } from "vitest";
import { getTrackerKind } from "#src/core/trackers/trackers.ts";
import { MAX_AGE_MS, verifyHook } from "#src/store/alerts/trackers/verify-hook.ts";
import type { KindName } from "#support/trackers/fake-trackers.ts";

const DOCUMENTED_SECRET = "It's a Secret to Everybody";
const STANDARD_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const STANDARD = {
  "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
  "webhook-timestamp": "1614265330",
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};
const STANDARD_MS = 1_614_265_330_000;

function verify(
  kind: KindName,
  headers: Readonly<Record<string, string>>,
  body: string,
  secret: string,
  nowMs = STANDARD_MS,
): Promise<boolean> {
  const delivery = {
    readHeader: (name: string) => headers[name],
    body: Uint8Array.from(new TextEncoder().encode(body)),
  };
  return verifyHook(getTrackerKind(kind).signatures, delivery, secret, nowMs);
}

describe("a signature", () => {
  it.each([
    [
      "GitHub",
      "github" as const,
      {
        "x-hub-signature-256":
          "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
      },
      "Hello, World!",
      DOCUMENTED_SECRET,
    ],
    [
      "Jira",
      "jira" as const,
      {
        "x-hub-signature":
          "sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9",
      },
      "Hello World!",
      DOCUMENTED_SECRET,
    ],
    ["Standard Webhooks", "gitlab" as const, STANDARD, '{"test": 2432232314}', STANDARD_SECRET],
    ["GitLab's secret token", "gitlab" as const, { "x-gitlab-token": "s3cret" }, "{}", "s3cret"],
  ])("of %s is that of its documentation", async (_, kind, headers, body, secret) => {
    expect(await verify(kind, headers, body, secret)).toBe(true);
    expect(await verify(kind, headers, body, `${secret}A`)).toBe(false);
    if (!("x-gitlab-token" in headers))
      expect(await verify(kind, headers, `${body} `, secret)).toBe(false);
  });

  it.each([
    ["none", "github" as const, {}],
    ["of SHA-1", "github" as const, { "x-hub-signature": `sha1=${"0".repeat(40)}` }],
    ["no hex", "github" as const, { "x-hub-signature-256": "sha256=zz" }],
    ["half a byte", "linear" as const, { "linear-signature": "abc" }],
    ["empty", "linear" as const, { "linear-signature": "" }],
    ["without its prefix", "jira" as const, { "x-hub-signature": "0".repeat(64) }],
    ["an empty token", "gitlab" as const, { "x-gitlab-token": "" }],
    ["no base64", "gitlab" as const, { ...STANDARD, "webhook-signature": "v1,***" }],
    ["of another version", "gitlab" as const, { ...STANDARD, "webhook-signature": "v2,AAAA" }],
    ["without an id", "gitlab" as const, { ...STANDARD, "webhook-id": "" }],
    ["without a time", "gitlab" as const, { ...STANDARD, "webhook-timestamp": "now" }],
  ])("that is missing or malformed is refused: %s", async (_, kind, headers) => {
    expect(await verify(kind, headers, '{"test": 2432232314}', STANDARD_SECRET)).toBe(false);
  });

  it("that is wrong is not made up for by a right token", async () => {
    const headers = { ...STANDARD, "webhook-id": "other", "x-gitlab-token": STANDARD_SECRET };
    expect(await verify("gitlab", headers, '{"test": 2432232314}', STANDARD_SECRET)).toBe(false);
  });

  it("with a time expires", async () => {
    const body = '{"test": 2432232314}';
    for (const offsetMs of [-MAX_AGE_MS, MAX_AGE_MS])
      expect(await verify("gitlab", STANDARD, body, STANDARD_SECRET, STANDARD_MS + offsetMs)).toBe(
        true,
      );
    for (const offsetMs of [-MAX_AGE_MS - 1_000, MAX_AGE_MS + 1_000])
      expect(await verify("gitlab", STANDARD, body, STANDARD_SECRET, STANDARD_MS + offsetMs)).toBe(
        false,
      );
  });
});
