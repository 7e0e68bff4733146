import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { isDigest } from "#src/core/grouping/parse-digest.ts";
import {
  getReportLocator,
  parseReportCode,
  toReportCode,
  toStoredText,
} from "#src/core/report/report-code.ts";
import { toStoredId } from "#src/core/report/report-id.ts";

const ids = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes).toString("hex"));

describe("the code of a report of the browser", () => {
  it("has the form and the check character of a digest, and leads back to the report", () => {
    fc.assert(
      fc.property(ids, fc.constantFrom("server", "page", "public"), (id, trust) => {
        const code = toReportCode(id);
        expect(isDigest(code)).toBe(true);
        const stored = toStoredId(id, trust as "server", () => new Uint8Array(32));
        const locator = getReportLocator({ id: stored, format: "reporter", kind: "error" });
        expect(parseReportCode(code)).toBe(locator);
        expect(stored).toContain(toStoredText(locator ?? "none"));
      }),
    );
  });

  it("is never that of a digest whose last bits are not zero", () => {
    expect(parseReportCode(digestFromHash(Uint8Array.of(1, 2, 3, 4, 0x20)))).toBeUndefined();
    expect(parseReportCode(digestFromHash(Uint8Array.of(1, 2, 3, 4)))).toBe("e44a7c0d01020304");
  });

  it("belongs to errors of the browser's reporter alone", () => {
    const id = "0".repeat(32);
    expect(getReportLocator({ id, format: "sentry", kind: "error" })).toBeUndefined();
    expect(getReportLocator({ id, format: "reporter", kind: "notice" })).toBeUndefined();
  });
});
