/**
 * Uploads of several applications, releases and dists, in which scripts of one name belong to
 * different builds. Each map names one source, `src/<build>.ts`, which tells the builds apart.
 */
import { runInDurableObject } from "cloudflare:test";
import type { SourceMaps } from "#src/store/artifacts/source-maps.ts";
import { getSourceMaps } from "#support/store/store.ts";
import { type BundledFile, makeBuild } from "./make-build.ts";
import { uploadFiles } from "./uploads.ts";

/** Debug ids, as 32 hex characters. */
export const IDS = {
  withId: "85314830023f4cf1a267535f4e37bb17",
  first: "0b5e1a4c7d2f4b669f112a3c4d5e6f70",
  second: "1c6f2b5d8e3a4c77a0223b4d5e6f7081",
  unknown: "2d7a3c6e9f4b4d88b1334c5e6f708192",
} as const;

interface WorldUpload {
  readonly release?: string;
  readonly dist?: string;
  /** The build of each URL; an id follows it, `-` stands for a script without a map. */
  readonly files: Readonly<Record<string, string | readonly [build: string, debugId: string]>>;
}

const UPLOADS: readonly WorldUpload[] = [
  {
    release: "shop@1",
    files: {
      "~/assets/main.js": "shop1-main",
      "~/assets/index-Cepvnn19.js": "shop1-index",
      "~/assets/vendor-BwRtYqPk.js": "vendor",
      "~/service-worker.js": "shop1-worker",
    },
  },
  {
    release: "shop@2",
    files: {
      "~/assets/main.js": "shop2-main",
      "~/admin/assets/main.js": "admin-main",
      "~/assets/index-DZ-x4_Lm.js": "shop2-index",
      "~/assets/vendor-BwRtYqPk.js": "vendor",
      "~/assets/page-2.js": "page-2",
      "~/assets/polyfills-es5.js": "polyfills",
      "~/sw.js": "service-worker",
      "~/workers/parse.js": "worker",
      "~/a/index.js": "a-index",
      "~/b/index.js": "b-index",
      "~/dist/electron.js": "electron",
      "~/assets/with-id.js": ["with-id", IDS.withId],
      "~/assets/suffixed.js?v=3": "suffixed",
      "~/assets/no-map.js": "-",
      "~/assets/caf%C3%A9%20menu.js": "cafe",
      "~/_next/chunks/ssr/[root-of-the-server]__1_vvzm2sow488._.js": "next-ssr",
      "~/_next/server/app/cart/page.js": "next-cart",
      "~/_next/server/app/page.js": "next-home",
      "https://cdn.shop.example/lib/cdn.js": "cdn",
      "https://cdn.shop.example/lib/main.js": "cdn-main",
      "app:///index.android.bundle": "android",
      "~/index.js": "module",
    },
  },
  { release: "cart@1", files: { "https://cart.example/assets/main.js": "cart-main" } },
  { release: "app@1", dist: "1", files: { "~/d/app.js": "dist-1" } },
  { release: "app@1", dist: "2", files: { "~/d/app.js": "dist-2" } },
  {
    release: "app@2",
    dist: "7",
    files: { "~/d/app.js": "dist-7", "~/d/chunk-5ZQ3LMNX.js": "dist-7-chunk" },
  },
  { release: "app@3", files: { "~/d/app.js": "no-dist" } },
  { release: "app@4", files: { "~/d/app.js": "app4-no-dist" } },
  { release: "app@4", dist: "1", files: { "~/d/app.js": "app4-dist-1" } },
  { release: "mobile@1", dist: "ios", files: { "app:///main.jsbundle": "ios" } },
  { release: "mobile@1", dist: "tv", files: { "app:///main.jsbundle": "tv" } },
  { release: "twice@1", files: { "~/x/main.js": "twice-old" } },
  { release: "twice@1", files: { "~/x/main.js": "twice-new" } },
  { release: "twice@2", files: { "~/x/main.js": ["twice2-old", IDS.first] } },
  { release: "twice@2", files: { "~/x/main.js": ["twice2-new", IDS.second] } },
  { release: "again@1", files: { "~/x/main.js": "again" } },
  { release: "again@1", files: { "~/x/main.js": "again", "~/x/other.js": "again-other" } },
  {
    release: "mono@1",
    files: { "~/one/app-8f3c2b1a.js": "one", "~/two/app-8f3c2b1a.js": "two" },
  },
  { release: "srv@1", files: { "~/a/dist/main.js": "-", "~/b/dist/main.js": "srv-b" } },
  { release: "srv@2", files: { "~/a/dist/main.js": "srv2-a" } },
  { release: "srv@2", files: { "~/b/dist/main.js": "-" } },
  { release: "srv@3", files: { "~/one/dist/app.js": "srv3-one" } },
  { release: "srv@3", dist: "7", files: { "~/two/dist/app.js": "srv3-two" } },
  {
    release: "srv@4",
    files: { "~/dist/main.js": "srv4", "https://cdn.shop.example/dist/main.js": "srv4-cdn" },
  },
  {
    release: "srv@5",
    files: { "~/dist/main.js": "srv5", "https://cdn.shop.example/dist/main.js": "srv5" },
  },
  { files: { "~/n/index-BqT9xV2k.js": "released-not", "~/n/main.js": "released-not-main" } },
];

/** When the two builds of `twice@1` arrive, Unix ms. */
export const UPLOAD_TIMES = { twiceOld: 12_000, twiceNew: 13_000 } as const;

/** Uploads everything. The nth upload arrives at n seconds. */
export async function uploadWorld(): Promise<void> {
  for (const { files, ...facts } of UPLOADS) {
    const bundled = Object.entries(files).flatMap(([url, build]) => listFiles(url, build));
    await uploadFiles(bundled, facts);
  }
  await runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) => {
    storage.sql.exec("UPDATE upload SET uploaded_ms = n * 1000");
  });
}

function listFiles(url: string, build: WorldUpload["files"][string]): readonly BundledFile[] {
  const [name, debugId] = typeof build === "string" ? [build] : build;
  const { script, map } = makeBuild(name, debugId === undefined ? {} : { debugId });
  const [path = "", query = ""] = url.split(/(?=\?)/);
  const headers = {
    sourcemap: `${path.slice(path.lastIndexOf("/") + 1)}.map`,
    ...(debugId !== undefined && { "debug-id": debugId }),
  };
  const files: readonly BundledFile[] = [
    { url, type: "minified_source", text: script, headers },
    { url: `${path}.map${query}`, type: "source_map", text: map, headers },
  ];
  return name === "-" ? files.slice(0, 1) : files;
}
