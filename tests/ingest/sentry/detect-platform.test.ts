import { describe, expect, it } from "vitest";
import type { Platform } from "#src/core/report.ts";
import { detectPlatform, parsePlatform } from "#src/ingest/sentry/detect-platform.ts";

/** An event and its runtime. `frames` are those of its exception. */
interface Row {
  readonly platform: Platform;
  readonly event: object;
  readonly frames?: readonly object[];
}

const HASH = "::h0123456789abcdef";

describe("the runtime of a Sentry event", () => {
  const rows: readonly Row[] = [
    { platform: "javascript", event: { platform: "node" } },
    { platform: "javascript", event: { platform: "javascript" } },
    { platform: "python", event: { platform: " Python " } },
    { platform: "dotnet", event: { platform: "csharp" } },
    { platform: "native", event: { platform: "cocoa" } },
    { platform: "java", event: { platform: "java", sdk: { name: "sentry.java.android" } } },
    { platform: "other", event: { platform: "perl" } },
    { platform: "other", event: { platform: "dart" } },
    { platform: "other", event: {} },
    { platform: "ruby", event: { sdk: { name: "sentry.ruby.rails" } } },
    { platform: "javascript", event: {}, frames: [{ filename: "https://shop.example/a.js?v=1" }] },
    {
      platform: "react-native",
      event: { platform: "javascript", sdk: { name: "sentry.javascript.react-native" } },
    },
    {
      platform: "java",
      event: { platform: "java", sdk: { name: "sentry.java.android.react-native" } },
    },
    { platform: "rust", event: { platform: "native", sdk: { name: "sentry.rust" } } },
    {
      platform: "rust",
      event: { platform: "native" },
      frames: [{ function: `shop::bill${HASH}` }],
    },
    { platform: "rust", event: { platform: "native" }, frames: [{ symbol: `_ZN4shop${HASH}` }] },
    { platform: "native", event: { platform: "native" }, frames: [{ function: "shop::bill" }] },
    { platform: "python", event: { platform: "python" }, frames: [{ function: `x${HASH}` }] },
  ];
  it.each(rows)("$platform: $event $frames", ({ platform, event, frames = [] }) => {
    expect(detectPlatform({ ...event }, [{ stacktrace: { frames } }])).toBe(platform);
  });

  it.each([undefined, null, "", " ", {}])("is unknown if a frame names %j", (name) => {
    expect(parsePlatform(name)).toBeUndefined();
  });
});
