/**
 * Which map resolves a frame, by release, debug id, host, name and dist: the right one with every
 * doubt stated, or none. `IDS` and the builds are in `matching-world.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProbe } from "#src/core/symbolication/report/probe-file.ts";
import { IDS, UPLOAD_TIMES, uploadWorld } from "#support/source-maps/matching-world.ts";
import { resolveFrame, sourceMaps } from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";

beforeAll(async () => {
  await uploadWorld();
  // Pages of these hosts reported before.
  for (const pageHost of ["shop.example", "m.shop.example"])
    await resolveFrame({ file: "x.js", line: 1, column: 1, function: "a" }, { pageHost });
}, 120_000);
afterAll(() => emptyStore());

interface Row {
  readonly file: string;
  readonly release?: string;
  readonly dist?: string;
  readonly ids?: readonly string[];
  /** The host of the page; null if the report names none. */
  readonly page?: string | null;
  readonly atMs?: number;
  /** The build, and how it is marked: `shop2-main [release]`; or the reason. */
  readonly want: string;
}

/** `shop2-main [release, 2 builds]`, or `unmapped: other-url`. */
async function answer({ file, page = "shop.example", ids = [], want: _, ...facts }: Row) {
  const frame = { file, line: 1, column: 20, function: "a" };
  const pageHost = page === null ? {} : { pageHost: page };
  const found = await resolveFrame(frame, { debugIds: ids, ...pageHost, ...facts });
  if (found?.kind !== "resolved") return `unmapped: ${found?.reason}`;
  const { matchedBy, builds, otherDist, unknownDebugId, otherHost } = found;
  const marks = [
    matchedBy,
    builds !== undefined && `${builds} builds`,
    otherDist !== undefined && `dist ${otherDist || "none"}`,
    unknownDebugId !== undefined && "unknown id",
    otherHost !== undefined && "other host",
  ];
  return `${found.file.replace(/^src\/|\.ts$/g, "")} [${marks.filter(Boolean).join(", ")}]`;
}

const release = "shop@2";
const SHOP = "https://shop.example";

function check(rows: readonly Row[]) {
  it.each(rows)("$file $release $dist $ids $page $atMs: $want", async (row) => {
    expect(await answer(row)).toBe(row.want);
  });
}

describe("by release and URL", () => {
  check([
    { file: `${SHOP}/assets/main.js`, release, want: "shop2-main [release]" },
    { file: `${SHOP}/assets/main.js`, release: "shop@1", want: "shop1-main [release]" },
    { file: `${SHOP}/assets/main.js`, release: "shop@3", want: "unmapped: nothing-uploaded" },
    { file: `${SHOP}/assets/main.js`, want: "unmapped: ambiguous" },
    { file: `${SHOP}/admin/assets/main.js`, release, want: "admin-main [release]" },
    { file: `${SHOP}/other/main.js`, release, want: "unmapped: other-url" },
    { file: `${SHOP}/sw.js`, release, want: "service-worker [release]" },
    { file: `${SHOP}/workers/parse.js`, release, want: "worker [release]" },
    { file: `${SHOP}/service-worker.js`, release, want: "unmapped: other-url" },
    { file: `${SHOP}/assets/no-map.js`, release, want: "unmapped: map-missing" },
    { file: `${SHOP}/a/index.js`, release, want: "a-index [release]" },
    { file: `${SHOP}/c/index.js`, release, want: "unmapped: other-url" },
    { file: `${SHOP}/static/b/index.js`, release, want: "unmapped: other-url" },
  ]);
});

describe("in every spelling of an address", () => {
  const spellings = [
    `${SHOP}/assets/main.js?v=3`,
    `${SHOP}/assets/main.js?dpl=dpl_9xQ#top`,
    `async ${SHOP}/assets/main.js`,
    "//shop.example/assets/main.js",
    "HTTPS://SHOP.EXAMPLE/assets/main.js",
    "http://shop.example/assets/main.js",
    "https://www.shop.example/assets/main.js",
    "https://shop.example:8443/assets/main.js",
    "https://user:pass@shop.example/assets/main.js",
    `${SHOP}/%61ssets/main.js`,
    `${SHOP}//assets//main.js`,
    `${SHOP}/x/../assets/./main.js`,
    `blob:${SHOP}/assets/main.js`,
    "app:///assets/main.js",
    "app:\\\\\\assets\\main.js",
    "app://./assets/main.js",
    "capacitor://localhost/assets/main.js",
    "ionic://localhost/assets/main.js",
    "webpack-internal:///./assets/main.js",
    "/assets/main.js",
    "assets/main.js",
    "./assets/main.js",
    "~/assets/main.js",
  ];
  check(spellings.map((file) => ({ file, release, want: "shop2-main [release]" })));
  check([
    { file: `${SHOP}/assets/caf%C3%A9%20menu.js`, release, want: "cafe [release]" },
    { file: `${SHOP}/assets/café menu.js`, release, want: "cafe [release]" },
    { file: `${SHOP}/assets/suffixed.js?v=3`, release, want: "suffixed [release]" },
    { file: `${SHOP}/assets/suffixed.js`, release, want: "suffixed [release]" },
    { file: `${SHOP}/assets/suffixed.js?v=4`, release, want: "unmapped: other-url" },
    { file: "index.js", release, page: null, want: "module [release]" },
    { file: "app:///index.android.bundle", release, page: null, want: "android [release]" },
    { file: `${SHOP}/ASSETS/main.js`, release, want: "unmapped: other-url" },
  ]);
});

describe("on the hosts of pages and uploads", () => {
  const main = "/assets/main.js";
  check([
    { file: `https://js.pay.example/v3/main.js`, release, want: "unmapped: other-host" },
    { file: `https://js.pay.example${main}`, release, want: "unmapped: other-host" },
    {
      file: `https://static.shop.example${main}`,
      release,
      want: "shop2-main [release, other host]",
    },
    { file: `https://d1x.cloudfront.net${main}`, release, want: "unmapped: other-host" },
    {
      file: "https://d1x.cloudfront.net/assets/index-DZ-x4_Lm.js",
      ...{ release, want: "shop2-index [release, other host]" },
    },
    {
      file: "https://d1x.cloudfront.net/x/index-DZ-x4_Lm.js",
      release,
      want: "unmapped: other-host",
    },
    {
      file: `https://a.pages.dev${main}`,
      release,
      page: "b.pages.dev",
      want: "unmapped: other-host",
    },
    { file: `https://10.0.0.5${main}`, release, page: "10.0.0.6", want: "unmapped: other-host" },
    {
      file: "chrome-extension://abc/assets/index-DZ-x4_Lm.js",
      release,
      want: "unmapped: not-expected",
    },
    { file: `https://notshop.example${main}`, release, want: "unmapped: other-host" },
    { file: `https://shop.example.evil.example${main}`, release, want: "unmapped: other-host" },
    { file: `${SHOP}@evil.example${main}`, release, want: "unmapped: other-host" },
    {
      file: `${SHOP}${main}`,
      ...{ release, page: "m.shop.example", want: "shop2-main [release, other host]" },
    },
    { file: `${SHOP}${main}`, release, page: null, want: "shop2-main [release]" },
    { file: `https://js.pay.example${main}`, release, page: null, want: "unmapped: other-host" },
    { file: "https://cdn.shop.example/lib/cdn.js", release, want: "cdn [release]" },
    { file: "https://cdn.shop.example/lib/main.js", release, want: "cdn-main [release]" },
    { file: `https://cdn.shop.example${main}`, release, want: "unmapped: other-url" },
    { file: `${SHOP}/lib/cdn.js`, release, want: "unmapped: other-url" },
    { file: `https://cart.example${main}`, release: "cart@1", want: "cart-main [release]" },
    { file: `https://cart.example${main}`, release, want: "unmapped: other-url" },
    { file: `${SHOP}${main}`, release: "cart@1", want: "unmapped: other-url" },
    { file: `chrome-extension://abcdef${main}`, release, want: "unmapped: not-expected" },
    {
      file: `chrome-extension://abcdef${main}`,
      release,
      page: "chrome-extension://abcdef",
      want: "shop2-main [release]",
    },
    {
      file: `http://localhost:3000${main}`,
      release,
      page: "localhost:3000",
      want: "shop2-main [release]",
    },
    {
      file: `http://localhost:3001${main}`,
      release,
      page: "localhost:3000",
      want: "unmapped: other-host",
    },
    { file: `http://[::1]${main}`, release, page: "[::1]", want: "shop2-main [release]" },
    {
      file: `http://10.0.0.7:8080${main}`,
      release,
      page: "10.0.0.7",
      want: "shop2-main [release]",
    },
    { file: `https://localhost${main}`, release, page: "localhost", want: "shop2-main [release]" },
  ]);
});

describe("by debug id", () => {
  const file = `${SHOP}/assets/with-id.js`;
  const main = `${SHOP}/assets/main.js`;
  const { withId, first, second, unknown } = IDS;
  check([
    { file, release, ids: [withId], want: "with-id [debug-id]" },
    { file, ids: [withId], want: "with-id [debug-id]" },
    { file, release: "cart@1", ids: [withId], want: "with-id [debug-id]" },
    { file: "https://any.example/x.js", ids: [withId], want: "with-id [debug-id]" },
    { file: `${SHOP}/cart`, ids: [withId], want: "with-id [debug-id]" },
    { file, release, ids: [unknown, withId], want: "with-id [debug-id]" },
    { file, release, ids: [withId, unknown], want: "with-id [debug-id]" },
    { file, release, dist: "9", ids: [withId], want: "with-id [debug-id]" },
    { file, release, ids: [unknown], want: "unmapped: other-debug-id" },
    { file, release: "shop@1", ids: [unknown], want: "unmapped: other-url" },
    { file, ids: [unknown], want: "unmapped: other-debug-id" },
    { file, release, want: "with-id [release]" },
    { file, release: "shop@1", want: "unmapped: other-url" },
    { file: main, release, ids: [unknown], want: "shop2-main [release, unknown id]" },
    { file: main, release: "shop@3", ids: [unknown], want: "unmapped: nothing-uploaded" },
    { file: `${SHOP}/x/main.js`, release, ids: [unknown], want: "unmapped: other-url" },
    {
      file: `${SHOP}/static/index-DZ-x4_Lm.js`,
      release,
      ids: [unknown],
      want: "unmapped: other-url",
    },
    {
      file: `${SHOP}/d/app.js`,
      release: "app@3",
      dist: "4",
      ids: [unknown],
      want: "no-dist [release, dist none, unknown id]",
    },
    {
      file: `${SHOP}/d/app.js`,
      release: "app@2",
      ids: [unknown],
      want: "unmapped: other-dist",
    },
    { file: `${SHOP}/x/main.js`, release: "twice@2", ids: [first], want: "twice2-old [debug-id]" },
    { file: `${SHOP}/x/main.js`, release: "twice@2", ids: [second], want: "twice2-new [debug-id]" },
    {
      file: `${SHOP}/x/main.js`,
      release: "twice@2",
      ids: [unknown],
      want: "unmapped: other-debug-id",
    },
    { file: `${SHOP}/x/main.js`, release: "twice@2", want: "twice2-new [release, 2 builds]" },
  ]);
});

it("a check without a report counts the script as one of a page on its own host", async () => {
  const asked = { file: "https://new.example/assets/main.js", release, line: 1, column: 20 };
  const [frames = []] = await sourceMaps.resolveStacks(createProbe(asked));
  expect(frames[0]).toMatchObject({ kind: "resolved", file: "src/shop2-main.ts" });
  // A check tells nothing about the hosts of the project.
  const file = "https://new.example/x/index-DZ-x4_Lm.js";
  expect(await answer({ file, release, want: "" })).toBe("unmapped: other-host");
});

describe("by the name of the file", () => {
  const hashed = "index-DZ-x4_Lm.js";
  check([
    { file: `${SHOP}/static/${hashed}`, release, want: "shop2-index [name]" },
    { file: `${SHOP}/static/${hashed}?v=1`, release, want: "shop2-index [name]" },
    { file: `${SHOP}/static/${hashed}`, release: "shop@1", want: "unmapped: other-url" },
    { file: `${SHOP}/static/${hashed}`, release: "shop@3", want: "unmapped: nothing-uploaded" },
    { file: `${SHOP}/static/${hashed}`, want: "unmapped: ambiguous" },
    { file: `https://pay.example/static/${hashed}`, release, want: "unmapped: other-host" },
    { file: `https://cdn.shop.example/x/${hashed}`, release, want: "shop2-index [name]" },
    { file: `https://cdn.shop.exampl/x/${hashed}`, release, want: "unmapped: other-host" },
    { file: `https://cdn.shop.example2/x/${hashed}`, release, want: "unmapped: other-host" },
    { file: `${SHOP}/static/${hashed}`, release, page: null, want: "shop2-index [name]" },
    { file: `https://m.shop.example/x/${hashed}`, release, want: "shop2-index [name]" },
    { file: `https://pay.example/x/${hashed}`, release, page: null, want: "unmapped: other-host" },
    { file: `${SHOP}/static/index-Cepvnn19.js`, release, want: "unmapped: other-url" },
    { file: `${SHOP}/static/vendor-BwRtYqPk.js`, release, want: "vendor [name]" },
    { file: `${SHOP}/static/page-2.js`, release, want: "unmapped: other-url" },
    { file: "/srv/app/a/dist/main.js", release: "srv@1", page: null, want: "unmapped: other-url" },
    { file: "/srv/b/dist/main.js", release: "srv@2", page: null, want: "unmapped: other-url" },
    {
      file: "/srv/one/dist/app.js",
      ...{ release: "srv@3", dist: "7", page: null, want: "unmapped: other-url" },
    },
    { file: `${SHOP}/static/polyfills-es5.js`, release, want: "unmapped: other-url" },
    { file: `${SHOP}/three/app-8f3c2b1a.js`, release: "mono@1", want: "unmapped: other-url" },
    { file: `${SHOP}/one/app-8f3c2b1a.js`, release: "mono@1", want: "one [release]" },
    { file: `${SHOP}/z/index-BqT9xV2k.js`, want: "released-not [name]" },
    { file: `${SHOP}/n/index-BqT9xV2k.js`, want: "released-not [name]" },
    { file: `${SHOP}/z/index-BqT9xV2k.js`, release, want: "unmapped: other-url" },
    { file: `${SHOP}/n/main.js`, want: "unmapped: ambiguous" },
    { file: `https://pay.example/z/index-BqT9xV2k.js`, want: "unmapped: ambiguous" },
  ]);
});

describe("by the last two segments of a path", () => {
  check([
    { file: "file:///C:/shop/app.asar/dist/electron.js", release, want: "electron [name]" },
    { file: "C:\\shop\\dist\\electron.js", release, want: "electron [name]" },
    { file: "/Applications/Shop.app/dist/electron.js", release, want: "electron [name]" },
    { file: "app://bundle/dist/electron.js", release, want: "electron [name]" },
    { file: "\\\\server\\share\\dist\\electron.js", release, want: "electron [name]" },
    { file: "/opt/other/electron.js", release, want: "unmapped: other-url" },
    { file: "/opt/dist/electron.js", release: "shop@1", want: "unmapped: other-url" },
    { file: "/opt/dist/electron.js", want: "unmapped: ambiguous" },
    { file: "/srv/assets/main.js", release, want: "unmapped: other-url" },
    { file: "/srv/assets/main.js", release: "shop@1", want: "shop1-main [name]" },
    { file: "/srv/.next/server/app/cart/page.js", release, want: "next-cart [name]" },
    { file: "/srv/.next/server/app/page.js", release, want: "next-home [name]" },
    { file: "/srv/.next/server/app/pay/page.js", release, want: "unmapped: other-url" },
    {
      file: "/var/task/.next/server/chunks/ssr/[root-of-the-server]__1_vvzm2sow488._.js",
      release,
      want: "next-ssr [name]",
    },
    {
      file: "/var/task/.next/server/chunks/ssr/%5Broot-of-the-server%5D__1_vvzm2sow488._.js",
      release,
      want: "next-ssr [name]",
    },
    { file: "/srv/n/index-BqT9xV2k.js", want: "released-not [name]" },
    { file: "/srv/n/main.js", want: "unmapped: ambiguous" },
    { file: "/srv/lib/cdn.js", release, page: null, want: "unmapped: other-url" },
    { file: "C:\\shop\\lib\\cdn.js", release, page: null, want: "unmapped: other-url" },
    { file: "/srv/assets/main.js", release: "cart@1", want: "unmapped: other-url" },
    { file: "/srv/dist/main.js", release: "srv@4", page: null, want: "unmapped: other-url" },
    { file: "/srv/dist/main.js", release: "srv@5", page: null, want: "srv5 [name]" },
    { file: "edge://settings/dist/electron.js", release, want: "unmapped: not-expected" },
    { file: "electron.js", release, want: "unmapped: other-url" },
    { file: "node:internal/dist/electron.js", release, want: "unmapped: not-expected" },
  ]);
});

describe("in the dist of the report", () => {
  const file = `${SHOP}/d/app.js`;
  check([
    { file, release: "app@1", dist: "1", want: "dist-1 [release]" },
    { file, release: "app@1", dist: "2", want: "dist-2 [release]" },
    { file, release: "app@1", dist: "3", want: "unmapped: other-dist" },
    { file, release: "app@1", want: "unmapped: other-dist" },
    { file, release: "app@2", dist: "7", want: "dist-7 [release]" },
    { file, release: "app@2", want: "dist-7 [release, dist 7]" },
    { file, release: "app@2", dist: "8", want: "unmapped: other-dist" },
    {
      file: `${SHOP}/d/chunk-5ZQ3LMNX.js`,
      release: "app@2",
      dist: "8",
      want: "dist-7-chunk [release, dist 7]",
    },
    {
      file: `${SHOP}/e/chunk-5ZQ3LMNX.js`,
      release: "app@2",
      want: "dist-7-chunk [name, dist 7]",
    },
    { file, release: "app@3", want: "no-dist [release]" },
    { file, release: "app@3", dist: "8", want: "no-dist [release, dist none]" },
    { file, release: "app@4", dist: "1", want: "app4-dist-1 [release]" },
    { file, release: "app@4", want: "app4-no-dist [release]" },
    { file, release: "app@4", dist: "2", want: "unmapped: other-dist" },
    { file: "app:///main.jsbundle", release: "mobile@1", dist: "ios", want: "ios [release]" },
    { file: "app:///main.jsbundle", release: "mobile@1", dist: "tv", want: "tv [release]" },
    { file: "app:///main.jsbundle", release: "mobile@1", want: "unmapped: other-dist" },
    { file: "/srv/d/app.js", release: "app@1", dist: "2", want: "dist-2 [name]" },
  ]);
});

describe("of the build that fits the time of the report", () => {
  const file = `${SHOP}/x/main.js`;
  const { twiceOld, twiceNew } = UPLOAD_TIMES;
  check([
    { file, release: "twice@1", want: "twice-new [release, 2 builds]" },
    { file, release: "twice@1", atMs: twiceNew, want: "twice-new [release, 2 builds]" },
    { file, release: "twice@1", atMs: twiceNew - 1, want: "twice-old [release, 2 builds]" },
    { file, release: "twice@1", atMs: twiceOld, want: "twice-old [release, 2 builds]" },
    { file, release: "twice@1", atMs: 1, want: "twice-old [release, 2 builds]" },
    { file, release: "again@1", want: "again [release]" },
    { file: "/srv/x/main.js", release: "twice@1", want: "unmapped: other-url" },
    { file: "/srv/x/main.js", release: "again@1", want: "again [name]" },
  ]);
});

describe("of code without a file of a build", () => {
  check(
    [
      "https://shop.example/",
      "https://shop.example/assets/main.js line 1 > eval",
      "blob:https://shop.example/9f1c2b1a-023f-4cf1-a267-535f4e37bb17",
      "data:text/javascript,assets/main.js",
      "webpack:///./assets/main.js",
      "moz-extension://abc/assets/main.js",
      "node:assets/main.js",
      "<anonymous>",
      "/srv/assets/main.ts",
    ].map((file) => ({ file, release, want: "unmapped: not-expected" })),
  );
});

it("a report without a page is marked while no page of the project is known", async () => {
  await emptyStore();
  await uploadWorld();
  const file = `${SHOP}/assets/main.js`;
  const want = "shop2-main [release, other host]";
  expect(await answer({ file, release, page: null, want })).toBe(want);
}, 60_000);
