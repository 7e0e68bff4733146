import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodePageToken,
  encodePageToken,
  getTokenAge,
  hasSignature,
  type PageTokenClaims,
  removePageTokens,
  toClaimBytes,
  toKeyId,
  toPageId,
  toPolicyHash,
  toSignedBytes,
  toTokenMinutes,
} from "#src/core/trust/page-token-format.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 17, 30, 0);
const SIGNATURE = Uint8Array.from({ length: 32 }, (_, index) => 0xf0 + index);
const SCOPE = { project: "1", origin: "https://shop.example" };
const CLAIMS: PageTokenClaims = {
  isShared: false,
  keyId: 0xab,
  minutes: toTokenMinutes(NOW_MS),
  pageId: "e44a7a5c00112233",
};

const anyClaims: fc.Arbitrary<PageTokenClaims> = fc.record({
  isShared: fc.boolean(),
  isOwn: fc.boolean(),
  isForVisitor: fc.boolean(),
  keyId: fc.nat(0xff),
  minutes: fc.nat(0xffffffff),
  pageId: fc.stringMatching(/^[0-9a-f]{16}$/),
  policyHash: fc.option(fc.nat(0xffffffff), { nil: undefined }),
});
const anySignature = fc.uint8Array({ minLength: 12, maxLength: 32 });

describe("a page token", () => {
  it("has 35 characters, or 40 with a policy, that need no escaping in a URL, a header or an attribute", () => {
    fc.assert(
      fc.property(anyClaims, anySignature, (claims, signature) => {
        const token = encodePageToken(toClaimBytes(claims), signature);
        expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(token).toHaveLength(claims.policyHash === undefined ? 35 : 40);
      }),
    );
  });

  it("is decoded to what was encoded", () => {
    fc.assert(
      fc.property(anyClaims, anySignature, (claims, signature) => {
        const token = decodePageToken(encodePageToken(toClaimBytes(claims), signature));
        expect(token).toMatchObject(claims);
        expect(token && [...token.signature]).toEqual([...signature.subarray(0, 12)]);
      }),
    );
  });

  it("has one spelling: a text that can be decoded is the encoded token", () => {
    const text = fc.stringMatching(/^(?:E[AE][\w-]{33}|I[AE][\w-]{38})$/);
    fc.assert(
      fc.property(text, (one) => {
        const token = decodePageToken(one);
        if (token !== null) expect(encodePageToken(token.claimBytes, token.signature)).toBe(one);
      }),
    );
  });

  it("is never decoded from another text, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        fc.pre(!/^[\w-]{35}(?:[\w-]{5})?$/.test(text));
        expect(decodePageToken(text)).toBeNull();
      }),
    );
  });

  const token = encodePageToken(toClaimBytes(CLAIMS), SIGNATURE);
  it.each([
    ["one character less", token.slice(0, -1)],
    ["one character more", `${token}A`],
    ["padding", `${token}=`],
    ["a line break at the end", `${token}\n`],
    ["white space, which base64 decoders ignore", ` ${token.slice(1)}`],
    ["characters of plain base64", `${token.slice(0, -2)}+A`],
    ["unused bits that are not zero", `${token.slice(0, -1)}B`],
    ["version 0", `A${token.slice(1)}`],
    ["version 2 and no policy", `I${token.slice(1)}`],
    ["version 1 and a policy", `${token.slice(0, -1)}AAAAAA`],
    ["an unknown flag", `GA${token.slice(2)}`],
    ["no character", ""],
  ])("is not decoded with %s", (_what, text) => {
    expect(decodePageToken(token)).not.toBeNull();
    expect(decodePageToken(text)).toBeNull();
  });

  it("signs its claims, the project, the origin and the flags", () => {
    const bytes = toSignedBytes(toClaimBytes({ ...CLAIMS, isShared: true }), SCOPE);
    expect([...bytes.subarray(0, 2)]).toEqual([0x11, 0xab]);
    expect(new TextDecoder().decode(bytes.subarray(14))).toBe("1|https://shop.example|1");
  });

  it("signs different bytes for different claims and scopes", () => {
    const scope = fc.record({
      project: fc.stringMatching(/^[1-9]\d{0,3}$/),
      origin: fc.webUrl().map((url) => new URL(url).origin),
    });
    const pair = fc.tuple(anyClaims, scope);
    fc.assert(
      fc.property(pair, pair, ([claims, page], [otherClaims, otherPage]) => {
        fc.pre(JSON.stringify([claims, page]) !== JSON.stringify([otherClaims, otherPage]));
        expect([...toSignedBytes(toClaimBytes(claims), page)]).not.toEqual([
          ...toSignedBytes(toClaimBytes(otherClaims), otherPage),
        ]);
      }),
    );
  });

  it.each(Array.from({ length: 12 }, (_, index) => index))(
    "has a signature whose byte %i counts",
    (index) => {
      const decoded = decodePageToken(token);
      const changed = SIGNATURE.map((byte, at) => (at === index ? byte ^ 1 : byte));
      expect(decoded && hasSignature(decoded, SIGNATURE)).toBe(true);
      expect(decoded && hasSignature(decoded, changed)).toBe(false);
    },
  );

  it("does not match a signature that is too short", () => {
    const decoded = decodePageToken(token);
    expect(decoded && hasSignature(decoded, SIGNATURE.subarray(0, 11))).toBe(false);
  });

  const MINUTE_MS = 60_000;
  const DAY_MS = 24 * 60 * MINUTE_MS;
  it.each([
    ["now", false, 0, "current"],
    ["24 hours ago", false, -DAY_MS, "current"],
    ["24 hours and a minute ago", false, -DAY_MS - MINUTE_MS, "expired"],
    ["24 hours and a minute ago, shared", true, -DAY_MS - MINUTE_MS, "current"],
    ["a week ago, shared", true, -7 * DAY_MS, "current"],
    ["a week and a minute ago, shared", true, -7 * DAY_MS - MINUTE_MS, "expired"],
    ["in 5 minutes", false, 5 * MINUTE_MS, "current"],
    ["in 6 minutes", false, 6 * MINUTE_MS, "from-the-future"],
    ["in 6 minutes, shared", true, 6 * MINUTE_MS, "from-the-future"],
    ["in 1,000 years", false, 1_000 * 365 * DAY_MS, "from-the-future"],
  ])("that was signed %s (shared: %s) is %s", (_what, isShared, offsetMs, age) => {
    const claims = { ...CLAIMS, isShared, minutes: toTokenMinutes(NOW_MS + offsetMs) };
    expect(getTokenAge(claims, NOW_MS)).toBe(age);
  });

  it("names its key by the first byte of the hash, its page by 8 bytes of the trace id", () => {
    expect(toKeyId(`c3${"0".repeat(62)}`)).toBe(0xc3);
    expect(toPageId("e44a7a5c00112233445566778899aabb")).toBe("e44a7a5c00112233");
  });
});

describe("removePageTokens", () => {
  const token = encodePageToken(toClaimBytes(CLAIMS), SIGNATURE);
  it.each([
    ["the only parameter", `report-uri /monitoring?t=${token}; x`, "report-uri /monitoring; x"],
    ["the first parameter", `/monitoring?t=${token}&a=1`, "/monitoring?a=1"],
    ["the last parameter", `/monitoring?a=1&t=${token}`, "/monitoring?a=1"],
    ["a middle parameter", `/monitoring?a=1&t=${token}&b=2`, "/monitoring?a=1&b=2"],
    ["every token", `/a?t=${token} /b?t=${token}`, "/a /b"],
    ["no shorter text", "/a?t=1", "/a?t=1"],
    ["no longer text", `/a?t=${token}A`, `/a?t=${token}A`],
    ["no other parameter", `/a?at=${token}`, `/a?at=${token}`],
  ])("removes %s", (_what, text, expected) => {
    expect(removePageTokens(text)).toBe(expected);
  });
});

describe("the hash of a policy", () => {
  const sha256 = (text: string) => createHash("sha256").update(text).digest();
  const policy = "default-src 'none'; report-uri /monitoring";
  const withToken = (claims: PageTokenClaims) =>
    `${policy}?t=${encodePageToken(toClaimBytes(claims), SIGNATURE)}`;

  it("does not depend on the token that the policy contains", () => {
    const own = toPolicyHash(policy, sha256);
    expect(own).toBe(sha256(policy).readUInt32BE());
    expect(toPolicyHash(withToken(CLAIMS), sha256)).toBe(own);
    expect(toPolicyHash(withToken({ ...CLAIMS, policyHash: own }), sha256)).toBe(own);
    expect(toPolicyHash(`${policy}/other`, sha256)).not.toBe(own);
  });

  it("is signed", () => {
    const bytes = toSignedBytes(toClaimBytes({ ...CLAIMS, policyHash: 0x01020304 }), SCOPE);
    expect([...bytes.subarray(14, 18)]).toEqual([1, 2, 3, 4]);
    expect(new TextDecoder().decode(bytes.subarray(18))).toBe("1|https://shop.example|0");
  });
});
