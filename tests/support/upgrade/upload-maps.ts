// Uploads of source maps and facts of releases, as sentry-cli sends them.

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import {
  cutChunks,
  makeArtifactBundle,
  makeBuild,
  toSha1,
} from "#support/source-maps/make-build.ts";
import {
  buildCases,
  readBuildFile,
  readEdgeFile,
} from "#support/source-maps/source-map-fixtures.ts";
import type { Visitor } from "./visitor.ts";

const BASE = "/api/0/organizations/errata";

/** Sends a bundle in chunks and waits until it is converted or has failed. */
async function uploadBundle(uploader: Visitor, bytes: Uint8Array, facts: object): Promise<void> {
  const checksum = toSha1(bytes);
  const chunks = cutChunks(bytes);
  const assembly = { checksum, chunks: chunks.map(toSha1), projects: ["1"], ...facts };
  const assemble = () => uploader.change(`${BASE}/artifactbundle/assemble/`, assembly);
  await assemble();
  const form = new FormData();
  for (const chunk of chunks) form.append("file_gzip", new File([gzipSync(chunk)], toSha1(chunk)));
  await uploader.request(`${BASE}/chunk-upload/`, { method: "POST", body: form });
  for (let { state } = await assemble(); state === "created" || state === "assembling"; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    ({ state } = await assemble());
  }
}

/** A script and its map, as `sentry-cli sourcemaps upload` bundles them. */
function bundleBuild(name: string): Uint8Array {
  const build = buildCases.find((one) => one.name === name);
  const text = (path: string) => Buffer.from(readBuildFile(name, path)).toString();
  const files = (build?.files ?? []).flatMap(({ path, url, map, debugId }) => [
    {
      ...{ url, type: "minified_source" as const, text: text(path) },
      headers: { "debug-id": debugId, sourcemap: map.replace(/^.*\//, "") },
    },
    {
      ...{ url: `${url}.map`, type: "source_map" as const, text: text(map) },
      headers: { "debug-id": debugId } as Record<string, string>,
    },
  ]);
  return makeArtifactBundle(files);
}

/**
 * Uploads two builds, one by a member with curl, one that is broken, and one that is deleted;
 * announces another one; states commits and deploys. Resolves to the errors of the builds.
 */
export async function uploadMaps(uploader: Visitor, owner: Visitor): Promise<readonly object[]> {
  const release = "shop@1.4.0";
  await uploader.change(`${BASE}/releases/`, { version: release, projects: ["1"] });
  const commits = [
    {
      ...{ id: "9f2c1d7e", repository: "acme/shop", message: "Round amounts down" },
      ...{ author_name: "Grace Hopper", timestamp: "2036-02-20T08:00:00Z" },
    },
  ];
  const body = JSON.stringify({ commits, projects: ["1"] });
  const headers = { "content-type": "application/json" };
  const path = `${BASE}/releases/${encodeURIComponent(release)}/`;
  await uploader.request(path, { method: "PUT", headers, body });
  const deploy = { environment: "production", name: "blue", url: "https://shop.example" };
  await uploader.change(`${path}deploys/`, deploy);
  await uploadBundle(uploader, bundleBuild("vite-react"), { version: release });
  await uploadBundle(uploader, bundleBuild("esbuild-split"), { version: release, dist: "web-2" });
  await uploadBundle(uploader, readEdgeFile("bundle-manifest-broken.zip"), { version: "till@1" });
  const { script, map } = makeBuild("tills");
  const files = [
    { url: "~/assets/tills.js", type: "minified_source", text: script },
    { url: "~/assets/tills.js.map", type: "source_map", text: map },
  ] as const;
  await uploadBundle(uploader, makeArtifactBundle(files), { version: "till@1.1" });
  const { uploads } = await owner.get("/source-maps.json");
  const gone = uploads.find(({ release }: { release?: string }) => release === "till@1.1");
  await owner.change(`/source-maps/${gone.id}/delete`, {});
  const [sent = "", missing = ""] = ["sent", "never sent"].map((text) => toSha1(Buffer.from(text)));
  const announced = { checksum: toSha1(Buffer.from("both")), chunks: [sent, missing] };
  const assembly = { ...announced, projects: ["1"], version: "till@3" };
  await uploader.change(`${BASE}/artifactbundle/assemble/`, assembly);
  const form = new FormData();
  form.append("file_gzip", new File([gzipSync("sent")], sent));
  await uploader.request(`${BASE}/chunk-upload/`, { method: "POST", body: form });
  const single = readFileSync("tests/fixtures/source-maps/worker/dist/index.js.map");
  const query = new URLSearchParams({ release: "worker@1", url: "index.js.map" });
  await owner.request(`/source-maps?${query}`, { method: "PUT", body: new Uint8Array(single) });
  return buildCases.flatMap(({ errors }) =>
    errors.flatMap((error) => ("event" in error ? [error.event as object] : [])),
  );
}
