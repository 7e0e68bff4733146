import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { isDigest } from "#src/core/grouping/parse-digest.ts";
import {
  OTHER_ANONYMOUS_DIGEST,
  OTHER_ANONYMOUS_KEY,
  toOtherAnonymousSummary,
} from "#src/core/issue/other-anonymous-reports.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import { createReport } from "#support/reports/reports.ts";

it("has the digest of its key, which never changes", () => {
  const hash = createHash("sha256").update(OTHER_ANONYMOUS_KEY).digest();
  expect(OTHER_ANONYMOUS_DIGEST).toBe(digestFromHash(hash));
  expect(isDigest(OTHER_ANONYMOUS_DIGEST)).toBe(true);
});

it("keeps number, time and users of a report, and no text of its sender", () => {
  const report = createReport(1, {
    trust: "public",
    kind: "csp",
    type: "evil-directive",
    message: "evil",
    release: "evil@1",
    environment: "evil",
    aliases: ["evil"],
    blockedUri: "https://evil.example",
    request: { route: "/evil", url: "https://evil.example/", userAgent: "evil" },
    tags: [["evil", "evil"]],
    userSketch: "0a1",
  });
  const { position: _, ...summary } = summarizeReport(report, "");
  const other = toOtherAnonymousSummary({ ...summary, occurrences: 7, lastAtMs: 9 });
  expect(JSON.stringify(other)).not.toContain("evil");
  expect(other).toMatchObject({
    id: report.id,
    digest: OTHER_ANONYMOUS_DIGEST,
    trust: "public",
    atMs: report.occurredAtMs,
    occurrences: 7,
    lastAtMs: 9,
    userSketch: "0a1",
  });
});
