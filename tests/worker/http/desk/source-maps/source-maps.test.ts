import { afterEach, describe, expect, it } from "vitest";
import type { ArtifactUpload, SourceMapSummary } from "#src/core/ports/source-maps-port.ts";
import type { SourceMapsApi } from "#src/store/objects.ts";
import { visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport } from "#support/reports/reports.ts";
import { sourceMaps } from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, NOW_MS } from "#support/store/store.ts";

afterEach(() => emptyStore());

const DAY_MS = 86_400_000;
const ID = "a".repeat(40);
const upload: ArtifactUpload = {
  id: ID,
  uploadedMs: NOW_MS - 3_600_000,
  release: "shop@1.4.0",
  tool: "sentry-cli/3.8.0",
  state: "ready",
  files: 12,
  maps: 6,
  scriptsWithoutMap: 0,
  storedBytes: 6_120_000,
  lastUsedMs: NOW_MS - 60_000,
};
const createSummary = (over: Partial<SourceMapSummary>): SourceMapSummary => ({
  uploads: [upload],
  storedBytes: 6_120_000,
  maxStoredBytes: 2_000_000_000,
  failures: [],
  ...over,
});
const storing = (over: Partial<SourceMapSummary>, more: Partial<SourceMapsApi> = {}) => ({
  services: {
    sourceMaps: replaceMethods(sourceMaps, {
      summarize: async () => createSummary(over),
      ...more,
    }) satisfies SourceMapsApi,
  },
});
const toText = (html: string) =>
  html
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
const read = async (options: object, path = "/source-maps") =>
  toText((await visit(path, options)).body);

describe("the uploads", () => {
  it("are listed by release, with tool, files, size and last use", async () => {
    const other = { ...upload, id: "b".repeat(40), release: undefined as never };
    const text = await read(storing({ uploads: [upload, other] }));
    expect(text).toContain(
      "shop@1.4.0 Upload aaaaaaaa 1 h ago · sentry-cli/3.8.0 · 12 files, 6 maps · 6.1 MB · used 1 min ago",
    );
    expect(text).toContain("Without a release Upload bbbbbbbb");
    expect(text).toContain("6.1 MB of 2 GB stored.");
  });

  it("state their problems, including those that an upload tool did not show", async () => {
    const failed = { ...upload, state: "failed", problem: "The zip ends early <b>." } as const;
    const partial = { ...upload, id: "c".repeat(40), scriptsWithoutMap: 3 };
    const failures = [{ atMs: NOW_MS - 60_000, detail: "A chunk is missing." }];
    const text = await read(storing({ uploads: [failed, partial], failures }));
    expect(text).toContain("An upload failed");
    expect(text).toContain("1 min ago A chunk is missing.");
    expect(text).toMatch(/failed .* The zip ends early &lt;b&gt;\./);
    expect(text).toContain("3 scripts without a map.");
  });

  it("are explained if there are none, and if they are not available", async () => {
    expect(await read(storing({ uploads: [] }))).toMatch(/No source maps yet\..*sentry-cli/);
    const summarize = () => Promise.reject(new Error("no object"));
    const unavailable = storing({}, { summarize });
    expect(await read(unavailable)).toContain("Source maps are temporarily unavailable.");
    const { response } = await visit("/source-maps.json", unavailable);
    expect(response.status).toBe(503);
  });

  it("are JSON for programs", async () => {
    const { body } = await visit("/source-maps.json", storing({}));
    expect(JSON.parse(body)).toEqual(createSummary({}));
  });

  it("that no stack used within a day are reported here and on the status page", async () => {
    const { lastUsedMs: _, ...unused } = { ...upload, uploadedMs: NOW_MS - 2 * DAY_MS };
    const options = storing({ uploads: [unused] });
    expect(await read(options)).toContain("No stack uses the uploaded source maps.");
    expect(await read(options, "/status")).toContain("No stack uses the uploaded source maps.");
    const { body } = await visit("/status.json", options);
    expect(JSON.parse(body)).toMatchObject({ unusedUploadsMs: NOW_MS - 2 * DAY_MS });
    expect(await read(storing({}), "/status")).not.toContain("No stack uses");
  });
});

describe("the files of an upload", () => {
  const files = [
    { url: "~/assets/app.js", kind: "script", debugId: "9".repeat(32), bytes: 900, problems: [] },
    {
      url: "javascript:alert(1)",
      kind: "map",
      bytes: 4_100_000,
      sources: 12,
      sourcesWithText: 9,
      problems: ["A digit at byte 12 is not base64."],
    },
  ] as const;
  const listFiles = async (id: string) => (id === ID ? files : null);

  it("are listed, those with problems first", async () => {
    const text = await read(storing({}, { listFiles }), `/source-maps/${ID}`);
    expect(text).toMatch(
      /javascript:alert\(1\) A digit at byte 12 is not base64\. map 4\.1 MB 9 of 12 with text ~\/assets\/app\.js script 99999999… 900 bytes/,
    );
    const { body } = await visit(`/source-maps/${ID}`, storing({}, { listFiles }));
    expect(body).not.toContain('href="javascript:');
  });

  it("are JSON for programs", async () => {
    const { body } = await visit(`/source-maps/${ID}.json`, storing({}, { listFiles }));
    expect(JSON.parse(body)).toEqual({ id: ID, files });
  });

  it.each([`/source-maps/${"b".repeat(40)}`, "/source-maps/x", "/source-maps/x.json"])(
    "of an unknown upload are 404: %s",
    async (path) => {
      const { response } = await visit(path, storing({}, { listFiles }));
      expect(response.status).toBe(404);
    },
  );

  it("are reported as unavailable", async () => {
    const failing = storing({}, { listFiles: () => Promise.reject(new Error("no object")) });
    expect(await read(failing, `/source-maps/${ID}`)).toContain("temporarily unavailable");
    expect((await visit(`/source-maps/${ID}.json`, failing)).response.status).toBe(503);
  });
});

describe("a check of a script", () => {
  const place = {
    kind: "resolved",
    file: "src/money.js",
    line: 11,
    column: 13,
    function: "Money.parse",
    inApp: true,
    matchedBy: "debug-id",
  } as const;
  const checking = (resolve: SourceMapsApi["resolveStacks"]) =>
    storing({}, { resolveStacks: resolve });
  const path = `/source-maps?${new URLSearchParams({
    script: "https://shop.example/app.js:3:868",
    release: "shop@1.4.0",
  })}`;

  it("says which map it would use, and the place of a position", async () => {
    const text = await read(
      checking(async ({ stacks }) => stacks.map((stack) => stack.map(() => place))),
      path,
    );
    expect(text).toMatch(/Mapped by its debug id\. Money\.parse src\/money\.js :11:13/);
  });

  it("says why no map would be used, and what to do", async () => {
    const missing = { kind: "unmapped", reason: "nothing-uploaded" } as const;
    const options = checking(async ({ stacks }) => stacks.map((stack) => stack.map(() => missing)));
    expect(await read(options, path)).toMatch(
      /Not mapped\. No map for app\.js: nothing was uploaded for release shop@1\.4\.0\..*sentry-cli/,
    );
    const { body } = await visit(path.replace("?", ".json?"), options);
    expect(JSON.parse(body).check).toMatchObject({
      asked: { file: "https://shop.example/app.js", line: 3, column: 868 },
      result: { script: missing },
    });
  });

  it("asks for one script if the text names none", async () => {
    const text = "/source-maps?script=TypeError%3A+x+is+undefined";
    const { response, body } = await visit(text, storing({}));
    expect([response.status, body.includes("Enter the URL of one script")]).toEqual([400, true]);
    const json = await visit(text.replace("?", ".json?"), storing({}));
    expect([json.response.status, JSON.parse(json.body).reason]).toEqual([400, "bad-script"]);
  });

  it("is refused with a message while the maps are not available", async () => {
    const options = checking(() => Promise.reject(new Error("no object")));
    expect(await read(options, path)).toContain("Source maps are temporarily unavailable.");
  });
});

describe("deleting an upload", () => {
  const OWN = { origin: "http://localhost:8787", "sec-fetch-site": "same-origin" };
  const post = (id: string, headers: Record<string, string> = {}) => {
    const deleted: string[] = [];
    const deleteUpload = async (one: string) => {
      deleted.push(one);
      return one === ID;
    };
    const options = { method: "POST", headers, ...storing({}, { deleteUpload }) };
    return visit(`/source-maps/${id}/delete`, options).then(({ response }) => ({
      response,
      deleted,
    }));
  };

  it("redirects to the list, with a message", async () => {
    const { response, deleted } = await post(ID, OWN);
    expect(deleted).toEqual([ID]);
    expect([response.status, response.headers.get("location")]).toEqual([303, "/source-maps"]);
    expect(response.headers.get("set-cookie")).toContain("upload-deleted.1");
  });

  it("is not done for another site", async () => {
    const { response, deleted } = await post(ID, { ...OWN, "sec-fetch-site": "cross-site" });
    expect(response.status).toBe(403);
    expect(deleted).toEqual([]);
  });

  it("answers 404 to programs for an unknown upload", async () => {
    const { response } = await post("b".repeat(40), { ...OWN, accept: "application/json" });
    expect(response.status).toBe(404);
  });
});

describe("the page of a release", () => {
  const script = (name: string) => ({
    file: `https://shop.example/assets/${name}.js`,
    line: 1,
    column: 900,
    inApp: true,
  });

  it("says how many scripts of its stacks have maps, and which have none", async () => {
    const release = "shop@1.4.0";
    const frames = [script("app"), script("vendor"), { file: "/srv/server.js", line: 1 } as never];
    await log.append([
      createReport(1, { release, frames }),
      createReport(2, { release: "shop@1.3.0" }),
    ]);
    const asked: unknown[] = [];
    const getCoverage: SourceMapsApi["getCoverage"] = async (...question) => {
      asked.push(question);
      return question[1].map(({ file }) => ({ file, hasMap: file.includes("app") }));
    };
    const options = storing({}, { getCoverage });
    const path = `/releases/${encodeURIComponent(release)}`;
    const { body } = await visit(path, options);
    expect(toText(body)).toMatch(
      /1 of 2 scripts in the stacks of this release have maps\. 1 script without a map https:\/\/shop\.example\/assets\/vendor\.js/,
    );
    const files = ["app", "vendor"].map((name) => ({ file: script(name).file }));
    expect(asked).toEqual([[release, files]]);
    const json = JSON.parse((await visit(`${path}.json`, options)).body);
    expect(json.scripts).toHaveLength(2);
  });

  it("says nothing if its stacks name no built script, or while maps are not available", async () => {
    await log.append([createReport(1, { release: "1", frames: [script("app")] })]);
    const getCoverage = () => Promise.reject(new Error("no object"));
    const { response, body } = await visit("/releases/1", storing({}, { getCoverage }));
    expect(response.status).toBe(200);
    expect(body).not.toContain("script-coverage");
  });
});
