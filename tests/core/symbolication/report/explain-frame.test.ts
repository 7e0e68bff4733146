import { describe, expect, it } from "vitest";
import {
  type AdvisedFrame,
  explainFrame,
  explainStack,
} from "#src/core/symbolication/report/explain-frame.ts";
import {
  formatUploadCommand,
  quoteShellWord,
} from "#src/core/symbolication/report/upload-command.ts";
import type {
  FrameResolution,
  ResolvedFrame,
  UnmappedReason,
} from "#src/core/symbolication/resolution.ts";

const ID = "91eaa5420aa75ed6b6ca9ceca357a8d6";
const frame: AdvisedFrame = {
  file: "https://shop.example/assets/index-Cepvnn19.js?v=1",
  line: 3,
  column: 868,
  function: "e.parse",
  inApp: true,
};
const resolved: ResolvedFrame = {
  kind: "resolved",
  file: "src/cart.tsx",
  line: 12,
  column: 5,
  inApp: true,
  source: "x",
  matchedBy: "debug-id",
};
const build = { project: "2", release: "shop@1.4.0", dist: "7" };
const UPLOAD =
  "sentry-cli sourcemaps upload --project 2 --release shop@1.4.0 --dist 7 --url-prefix '~/assets' dist/assets";
const unmapped = (why: UnmappedReason): FrameResolution => ({ kind: "unmapped", ...why });

describe("an unmapped frame says why, and what to do", () => {
  const CASES: readonly (readonly [UnmappedReason, RegExp, string?])[] = [
    [
      { reason: "nothing-uploaded", debugId: ID },
      /^No map for index-Cepvnn19\.js \(debug id 91eaa542…\)\.$/,
      "sentry-cli sourcemaps upload --project 2 --release shop@1.4.0 --dist 7 dist",
    ],
    [
      { reason: "nothing-uploaded" },
      /^No map for index-Cepvnn19\.js: nothing was uploaded for release shop@1\.4\.0\.$/,
      UPLOAD,
    ],
    [
      { reason: "other-url", uploadedUrl: "~/js/index-Cepvnn19.js" },
      /^Uploaded as ~\/js\/index-Cepvnn19\.js, but the page loads ~\/assets\/index-Cepvnn19\.js\.$/,
      UPLOAD,
    ],
    [{ reason: "other-url" }, /has uploads, but none of index-Cepvnn19\.js\.$/, UPLOAD],
    [
      { reason: "other-debug-id", debugId: ID, uploadedId: "0".repeat(32) },
      /\(debug id 91eaa542…\) is not the uploaded one \(00000000…\)\.$/,
      "sentry-cli sourcemaps inject dist",
    ],
    [
      { reason: "map-missing", mapUrl: "index-Cepvnn19.js.map" },
      /was uploaded without its map, index-Cepvnn19\.js\.map\.$/,
      UPLOAD,
    ],
    [{ reason: "map-missing" }, /was uploaded without a map, and has no sourceMappingURL\.$/],
    [
      { reason: "map-refused", problem: "A digit at byte 12 is not base64." },
      /cannot be read: A digit at byte 12 is not base64\.$/,
    ],
    [{ reason: "converting" }, /was uploaded a moment ago/],
    [{ reason: "no-segment", line: 3, column: 2071 }, /has no entry for line 3, column 2071\.$/],
    [{ reason: "no-segment", line: 3 }, /has no entry for line 3 without a column\.$/],
    [{ reason: "ambiguous", uploads: 3 }, /Uploads with a file named index-Cepvnn19\.js: 3\.$/],
    [
      { reason: "other-url", uploadedUrl: "~/assets/index-Cepvnn19.js?v=2" },
      /^Uploaded as .*\?v=2, but the page loads https:\/\/shop\.example\/assets\/index-Cepvnn19\.js\?v=1\.$/,
    ],
    [
      { reason: "other-dist", dists: ["1", "2"], dist: "3" },
      /^index-Cepvnn19\.js was uploaded for dist 1 and 2, the report names 3\.$/,
      UPLOAD,
    ],
    [
      { reason: "other-dist", dists: ["1", ""] },
      /was uploaded for dist 1 and none, the report names no dist\.$/,
    ],
    [
      { reason: "other-dist", dists: [..."1234567"], dist: "8" },
      /was uploaded for dist 1, 2, 3, 4, 5, and 2 more, the report names 8\.$/,
    ],
    [
      { reason: "other-host", host: "cdn.example" },
      /^index-Cepvnn19\.js is from cdn\.example\./,
      UPLOAD.replace("'~/assets'", "https://shop.example/assets"),
    ],
    [{ reason: "no-position" }, /^The report names no line of index-Cepvnn19\.js\.$/],
  ];
  it.each(CASES.map(([why, problem, command]) => ({ why, problem, command })))("$why", (one) => {
    const { why, problem, command } = one;
    const advice = explainFrame(frame, unmapped(why), build);
    expect(advice?.problem).toMatch(problem);
    if (command !== undefined) expect(advice?.command).toBe(command);
    if (why.reason !== "no-position") expect(advice?.action).toMatch(/^[A-Z].*[.:]$/);
  });

  it("and names injection if the report has neither a release nor a debug id", () => {
    const advice = explainFrame(frame, unmapped({ reason: "nothing-uploaded" }), {});
    expect(advice?.problem).toMatch(/neither a debug id nor a release\.$/);
    expect(advice?.command).toMatch(/^sentry-cli sourcemaps inject dist && /);
  });

  it("but not if no map is expected", () => {
    expect(explainFrame(frame, unmapped({ reason: "not-expected" }), build)).toBeNull();
  });

  it("and a resolved frame only if its map has no text", () => {
    expect(explainFrame(frame, resolved, build)).toBeNull();
    const { source: _, ...withoutText } = resolved;
    expect(explainFrame(frame, withoutText, build)?.problem).toMatch(
      /does not contain the source code/,
    );
  });
});

describe("a stack", () => {
  const missing = unmapped({ reason: "nothing-uploaded" });
  const missingText = unmapped({ reason: "converting" });
  const adviceAt = (frames: readonly AdvisedFrame[], resolutions: readonly FrameResolution[]) => [
    ...explainStack(frames, resolutions, build).keys(),
  ];

  it("states each problem once, on its first frame", () => {
    const answers = [missing, missing, resolved, missingText, missing];
    expect(adviceAt(Array(5).fill(frame), answers)).toEqual([0, 3]);
  });

  it("states no problem of a library's frame", () => {
    expect(adviceAt([{ ...frame, inApp: false }, frame], [missing, missing])).toEqual([1]);
  });

  it.each([
    ["a script of a page", frame, true],
    ["a Worker's module", { ...frame, file: "index.js", inApp: false }, true],
    ["a server's build", { ...frame, file: "/srv/shop/.next/server/chunks/a.js" }, true],
    ["a minified line", { ...frame, file: "/srv/shop/server.js", column: 5_000 }, true],
    ["a server's own file", { ...frame, file: "/srv/shop/server.js", column: 9 }, false],
    ["a file with its line", { ...frame, file: "/srv/dist/a.js", source: "x()", column: 9 }, false],
    ["a source", { ...frame, file: "/srv/shop/cart.ts" }, false],
    ["another language", { ...frame, file: "app/views.py" }, false],
  ])("of %s asks for an upload: %o, %s", (_, one, isAsked) => {
    expect(adviceAt([one], [missing])).toEqual(isAsked ? [0] : []);
  });
});

describe("a text of a sender", () => {
  it("is quoted on one line, without characters that reorder it", () => {
    const file = "https://x.example/\u202egnp.\u2066js\n\u0000</script>.js";
    const advice = explainFrame({ ...frame, file }, unmapped({ reason: "map-missing" }), build);
    expect(advice?.problem).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it.each([
    ["shop@1.4.0", "shop@1.4.0"],
    ["1.4.0 beta", "'1.4.0 beta'"],
    ["$(rm -rf ~)", "'$(rm -rf ~)'"],
    ["it's", "'it'\\''s'"],
    ["~/assets", "'~/assets'"],
    ["a\nb", undefined],
    ["a\u202eb", undefined],
    ["", undefined],
  ])("is one word of a shell: %j", (text, word) => {
    expect(quoteShellWord(text)).toBe(word);
  });

  it("cannot add an option to a command", () => {
    expect(formatUploadCommand({ release: "--help" })).toBe("sentry-cli sourcemaps upload dist");
  });
});

it.each([
  ["https://shop.example/app.js", "--url-prefix '~' dist"],
  [
    "https://shop.example/_next/static/chunks/a.js",
    "--url-prefix '~/_next/static/chunks' .next/static/chunks",
  ],
  ["https://shop.example/a%20b/c'd/e.js", "--url-prefix '~/a%20b/c'\\''d' 'dist/a b/c'\\''d'"],
  ["/srv/shop/dist/server.js", "upload dist"],
])("the command for %s ends with %s", (file, end) => {
  expect(formatUploadCommand({}, file)).toMatch(
    new RegExp(`${end.replace(/[\\^$.|()[\]*+?]/g, "\\$&")}$`),
  );
});
