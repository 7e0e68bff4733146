/** The calls of upload tools in their order, over the real object of the source maps. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SourceMapsApi } from "#src/store/objects.ts";
import { createMembers, ORIGIN, type Proof, type TestMembers } from "#support/accounts/members.ts";
import { toBytes } from "#support/bytes.ts";
import { createTestServices, visit } from "#support/http/visit.ts";
import { makeBundle } from "#support/source-maps/make-zip.ts";
import { emptyStore } from "#support/store/empty-store.ts";

const API = "/api/0/organizations/acme";
const DEBUG_ID = "0c1f4c5e6f6b5d7e9f3a1b2c3d4e5f6a";

let members: TestMembers;
let proof: Proof;
let memberProof: Proof;

beforeEach(async () => {
  members = await createMembers();
  proof = (await members.token("uploader")).proof;
  memberProof = (await members.token("member")).proof;
});
afterEach(() => emptyStore());

const send = async (
  call: string,
  body?: BodyInit | object,
  headers: Proof = {},
  services: object = {},
) => {
  const [method = "", path = ""] = call.split(" ");
  const isJson = body !== undefined && Object.getPrototypeOf(body) === Object.prototype;
  const { response, body: text } = await visit(path, {
    method,
    origin: ORIGIN,
    services: { ...members.services, ...services },
    headers: { ...proof, ...(isJson && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as BodyInit) }),
  });
  return { status: response.status, json: JSON.parse(text) };
};
const readPage = async (path: string, accept = "application/json") =>
  (
    await visit(path, {
      origin: ORIGIN,
      services: members.services,
      headers: { accept, ...memberProof },
    })
  ).body;

const sha1 = (bytes: Uint8Array) => createHash("sha1").update(bytes).digest("hex");

/** Uploads a bundle as sentry-cli does, in chunks of this size. Returns the last state. */
async function uploadBundle(bytes: Uint8Array, facts: object = {}, chunkSize = 300) {
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkSize) }, (_, n) =>
    bytes.slice(n * chunkSize, (n + 1) * chunkSize),
  );
  const bundle = { checksum: sha1(bytes), chunks: chunks.map(sha1), projects: ["1"], ...facts };
  const assemble = () => send(`POST ${API}/artifactbundle/assemble/`, bundle);
  const first = await assemble();
  expect(first).toEqual({
    status: 200,
    json: { state: "not_found", missingChunks: bundle.chunks },
  });
  const form = new FormData();
  for (const chunk of chunks) form.append("file_gzip", new Blob([gzipSync(chunk)]), sha1(chunk));
  expect((await send(`POST ${API}/chunk-upload/`, form)).status).toBe(200);
  return (await assemble()).json;
}

const SCRIPT = "function a(){throw 1}a();\n//# sourceMappingURL=app.js.map\n";
const MAP = JSON.stringify({
  version: 3,
  debugId: DEBUG_ID,
  sources: ["src/cart.ts"],
  sourcesContent: ["function openCart() {\n  throw 1;\n}\nopenCart();"],
  names: ["openCart"],
  // Columns 0, 9 (the name) and 13 (the throw, on line 2) of the script.
  mappings: "AAAA,SAASA,IACP",
});
const HEADERS = { "debug-id": DEBUG_ID, sourcemap: "app.js.map" };
const BUNDLE = makeBundle([
  { path: "files/_/_/app.js", bytes: toBytes(SCRIPT) },
  { path: "files/_/_/app.js.map", bytes: toBytes(MAP) },
  {
    path: "manifest.json",
    bytes: toBytes(
      JSON.stringify({
        files: {
          "files/_/_/app.js": { url: "~/app.js", type: "minified_source", headers: HEADERS },
          "files/_/_/app.js.map": { url: "~/app.js.map", type: "source_map", headers: HEADERS },
        },
      }),
    ),
  },
]);

/** The frame at the throw, for a page that sends the debug id, a release or neither. */
async function resolve(facts: { readonly debugId?: string; readonly release?: string }) {
  const { sourceMaps } = createTestServices({ waitUntil: () => undefined });
  const file = "https://shop.example/app.js";
  const { debugId, release } = facts;
  const [[frame] = []] = await sourceMaps.resolveStacks({
    stacks: [[{ file, line: 1, column: 14 }]],
    images: debugId === undefined ? [] : [{ file, debugId }],
    ...(release !== undefined && { release }),
  });
  return frame;
}

const ORIGINAL = {
  kind: "resolved",
  file: "src/cart.ts",
  line: 2,
  function: "openCart",
  source: "  throw 1;",
};

describe("the options of an upload", () => {
  it("name the address of the request, for any organization", async () => {
    for (const organization of ["acme", ""]) {
      const { json } = await send(`GET /api/0/organizations/${organization}/chunk-upload/`);
      expect(json).toMatchObject({
        url: `${ORIGIN}/api/0/organizations/errata-example/chunk-upload/`,
        chunkSize: 2 ** 20,
        hashAlgorithm: "sha1",
        compression: ["gzip"],
        accept: ["release_files", "artifact_bundles", "artifact_bundles_v2"],
      });
    }
  });
});

describe("an upload in chunks", () => {
  it("is readable when it is answered ok", async () => {
    const state = await uploadBundle(BUNDLE, { version: "shop@1.4.0" });
    expect(state).toEqual({ state: "ok", missingChunks: [] });
    expect(await resolve({ debugId: DEBUG_ID })).toMatchObject({
      ...ORIGINAL,
      matchedBy: "debug-id",
    });
    expect(await resolve({ release: "shop@1.4.0" })).toMatchObject({
      ...ORIGINAL,
      matchedBy: "release",
    });
  });

  it("that is known needs no chunks", async () => {
    await uploadBundle(BUNDLE);
    const bundle = { checksum: sha1(BUNDLE), chunks: [sha1(BUNDLE)], projects: [""] };
    const { json } = await send(`POST ${API}/artifactbundle/assemble/`, bundle);
    expect(json).toEqual({ state: "ok", missingChunks: [] });
  });

  it("of a token is in its project only", async () => {
    await members.change(members.deployer, { do: "create-project", name: "Second" });
    const second = (await members.token("uploader", "2")).proof;
    await uploadBundle(BUNDLE);
    const bundle = { checksum: sha1(BUNDLE), chunks: [sha1(BUNDLE)], projects: [""] };
    const { json } = await send(`POST ${API}/artifactbundle/assemble/`, bundle, second);
    expect(json.state).toBe("not_found");
  });

  it("with a chunk that is not what its name says is refused", async () => {
    const form = new FormData();
    form.append("file_gzip", new Blob([gzipSync(toBytes("other"))]), sha1(toBytes("this")));
    expect((await send(`POST ${API}/chunk-upload/`, form)).status).toBe(400);
  });

  it.each<[string, object | string]>([
    ["no checksum", { chunks: [] }],
    ["a checksum of another kind", { checksum: "a".repeat(64), chunks: [] }],
    ["chunks that are not a list of checksums", { checksum: "a".repeat(40), chunks: [7] }],
    ["too many chunks", { checksum: "a".repeat(40), chunks: Array(300).fill("b".repeat(40)) }],
    ["a list", "[]"],
    ["no JSON", "{"],
    ["nothing", ""],
  ])("is refused with %s", async (_, body) => {
    const { status, json } = await send(`POST ${API}/artifactbundle/assemble/`, body);
    expect(status).toBe(400);
    expect(Object.keys(json)).toEqual(["detail"]);
  });
});

describe("a plain upload", () => {
  it("of a map is answered by what it is, and is readable", async () => {
    const path = "/source-maps?release=shop@1.4.0&url=~/app.js.map";
    const { status, json } = await send(`PUT ${path}`, MAP);
    expect(status).toBe(200);
    expect(json.files).toMatchObject([
      { url: "~/app.js.map", kind: "map", debugId: DEBUG_ID, sources: 1, sourcesWithText: 1 },
    ]);
    const { line, source } = ORIGINAL;
    expect(await resolve({ debugId: DEBUG_ID })).toMatchObject({ line, source });
    expect(await resolve({ release: "shop@1.4.0" })).toMatchObject({ line, source });
  });

  it("takes the name from the address, as curl adds it", async () => {
    const { json } = await send("PUT /source-maps/app.js.map?release=1", MAP);
    expect(json.files).toMatchObject([
      { kind: "map", url: expect.stringMatching(/app\.js\.map$/) },
    ]);
  });

  it("of a member from Errata's own page is accepted", async () => {
    const { proof: session } = await members.invite("member");
    const headers = { ...session, authorization: "", "sec-fetch-site": "same-origin" };
    expect((await send("PUT /source-maps/app.js.map", MAP, headers)).status).toBe(200);
    const foreign = { ...headers, "sec-fetch-site": "cross-site" };
    expect((await send("PUT /source-maps/app.js.map", MAP, foreign)).status).toBe(403);
  });

  it("that cannot be read is refused with a sentence", async () => {
    const { status, json } = await send("PUT /source-maps?release=1", BUNDLE.slice(0, 400));
    expect(status).toBe(400);
    expect(json.detail).toMatch(/^\S.*\.$/);
  });
});

describe("the facts of a release", () => {
  const release = "shop@1.4.0+7";
  const path = `${API}/releases/${encodeURIComponent(release)}`;

  beforeEach(async () => {
    const created = await send(`POST ${API}/releases/`, { version: release, projects: ["1"] });
    expect(created).toMatchObject({
      status: 201,
      json: { version: release, dateReleased: null, url: null, newGroups: 0 },
    });
    expect(Date.parse(created.json.dateCreated)).not.toBeNaN();
  });

  it("are its date, its deploys and its commits", async () => {
    const dateReleased = "2026-11-22T09:00:00Z";
    const { json } = await send(`PUT ${path}/`, { dateReleased });
    expect(json).toMatchObject({ version: release, dateReleased: "2026-11-22T09:00:00.000Z" });
    const deploy = { environment: "production", dateFinished: "2026-11-22T10:00:00Z" };
    expect((await send(`POST ${path}/deploys/`, deploy)).status).toBe(201);
    await send(`PUT ${path}/`, {
      commits: [
        {
          id: "2da95dfb052f477380608d59d32b4ab9aaaaaaaa",
          repository: "acme/shop",
          message: "Fix the cart\n\nIt was empty.",
          author_name: "Ada",
          author_email: "ada@example.com",
          timestamp: "2026-11-22T08:00:00+01:00",
        },
      ],
    });
    await send(`PUT ${path}/`, { refs: [{ repository: "acme/api", commit: "abc123" }] });

    const facts = {
      version: release,
      releasedMs: Date.UTC(2026, 10, 22, 9),
      deploys: [{ environment: "production", finishedMs: Date.UTC(2026, 10, 22, 10) }],
      commits: expect.arrayContaining([
        {
          id: "2da95dfb052f477380608d59d32b4ab9aaaaaaaa",
          repository: "acme/shop",
          message: "Fix the cart\n\nIt was empty.",
          author: "Ada",
          atMs: Date.UTC(2026, 10, 22, 7),
        },
        { id: "abc123", repository: "acme/api" },
      ]),
    };
    const page = `/releases/${encodeURIComponent(release)}`;
    expect(JSON.parse(await readPage("/releases")).withoutReports).toMatchObject([facts]);
    expect(JSON.parse(await readPage(`${page}.json`)).facts).toMatchObject(facts);
    const html = await readPage(page, "text/html");
    for (const text of ["Deployed to", "production", "2da95dfb05", "Fix the cart", "Ada"])
      expect(html).toContain(text);
    expect(html).not.toContain("ada@example.com");
    expect(await readPage("/releases", "text/html")).toContain(release);
  });

  it("are read by a member's token only", async () => {
    for (const call of [`GET ${API}/releases/`, `GET ${path}/`, `GET ${path}/deploys/`]) {
      expect((await send(call)).status).toBe(403);
      expect((await send(call, undefined, memberProof)).status).toBe(200);
    }
    expect((await send(`GET ${API}/releases/9/`, undefined, memberProof)).status).toBe(404);
  });

  it("stay when a tool deletes the release, and the response says why", async () => {
    const refused = await send(`DELETE ${path}/`);
    expect(refused).toEqual({
      status: 403,
      json: {
        detail:
          "An upload token cannot delete. An owner can delete uploads on the Source maps page.",
      },
    });
    const kept = await send(`DELETE ${path}/`, undefined, memberProof);
    expect(kept.status).toBe(400);
    expect(kept.json.detail).toContain("A release cannot be deleted: it expires with its reports.");
    expect((await send(`GET ${path}/`, undefined, memberProof)).status).toBe(200);
  });

  it.each<[string, object]>([
    [`POST ${API}/releases/`, {}],
    [`POST ${API}/releases/`, { version: {} }],
    [`POST ${path}/deploys/`, { name: "x" }],
  ])("are refused without a name: %s %j", async (call, body) => {
    expect((await send(call, body)).status).toBe(400);
  });
});

it("responds 503 while the object is unavailable, which tools retry", async () => {
  const reject = () => Promise.reject(new Error("unavailable"));
  const sourceMaps = new Proxy({} as SourceMapsApi, { get: () => reject });
  const artifactUploads = { storeChunks: reject, storeSingle: reject };
  const body = { checksum: "a".repeat(40), chunks: [], version: "1" };
  const calls: readonly (readonly [string, BodyInit | object])[] = [
    [`POST ${API}/artifactbundle/assemble/`, body],
    [`POST ${API}/releases/`, body],
    [`POST ${API}/chunk-upload/`, "chunks"],
    ["PUT /source-maps", MAP],
  ];
  for (const [call, sent] of calls) {
    const { status } = await send(call, sent, {}, { sourceMaps, artifactUploads });
    expect([call, status]).toEqual([call, 503]);
  }
});
