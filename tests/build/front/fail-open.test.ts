// What the visitors of a site get when Errata does not answer, when the front itself fails, and when
// it is not configured: their site.

import { join } from "node:path";
import type { Plugin } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type FrontInTest, openFront } from "#support/front/front.ts";
import {
  type ExactSite,
  getExactly,
  NAVIGATION,
  openExactSite,
  type SiteAnswer,
} from "#support/front/site.ts";
import { buildFront } from "../../../.tools/build/front.ts";
import { createTemporaryFolder } from "../../../.tools/command/command-line.ts";

const HTML = { "content-type": "text/html; charset=utf-8", etag: '"a"' };
const PAGE = "<html><head><title>x</title></head><body></body></html>";
const answers: Readonly<Record<string, SiteAnswer>> = {
  "/": { headers: HTML, chunks: [Buffer.from(PAGE)] },
  "/failed": { status: 500, headers: HTML, chunks: [Buffer.from(PAGE)] },
  "/monitoring": { headers: HTML, chunks: [Buffer.from("the page of the site")] },
};

let site: ExactSite;
let front: FrontInTest | undefined;
const folder = createTemporaryFolder();

beforeAll(async () => {
  site = await openExactSite((path) => answers[path]);
});
afterEach(async () => {
  await front?.stop();
  front = undefined;
});
afterAll(() => site?.close());

const visit = (path: string, options?: Parameters<typeof getExactly>[1]) =>
  getExactly(`${front?.url}${path}`, options);

async function expectSite() {
  for (const [path, { status = 200, chunks = [] }] of Object.entries(answers)) {
    const got = await visit(path);
    expect([got.status, got.body.toString()]).toEqual([status, Buffer.concat(chunks).toString()]);
    expect(got.headers.etag).toBe('"a"');
    expect(got.headers).not.toHaveProperty("server-timing");
  }
}

describe("Errata", () => {
  async function expectDressedSite() {
    for (const path of ["/", "/failed"]) {
      const { body, isComplete, headers } = await visit(path);
      expect(isComplete).toBe(true);
      expect(body.toString()).toContain(" data-errata></script><title>x</title>");
      expect(headers["server-timing"]).toContain("errata-token");
      expect(body.includes("errata-notice")).toBe(path === "/failed");
    }
    const script = await visit("/monitoring/errata.js");
    expect([script.status, script.body.length > 1_000]).toEqual([200, true]);
  }

  it("may be gone: pages are whole, and only reports are refused", async () => {
    front = await openFront(site);
    await expectDressedSite();
    const { status, headers } = await visit("/monitoring", { method: "POST", body: "{}" });
    expect([status, headers["cache-control"]]).toEqual([503, "no-store"]);
    expect(front.log.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("may hang: no page waits for it", async () => {
    const desk = await openExactSite(() => ({ send: () => undefined }));
    front = await openFront(site, { deskPort: desk.port });
    await expectDressedSite();
    expect(desk.requests.length).toBeLessThanOrEqual(1);
    await desk.close();
  });
});

describe("the front itself", () => {
  /** A front with a fault. */
  async function openBroken(changes: Parameters<typeof buildFront>[0]) {
    const workerFile = join(folder, "broken.js");
    await buildFront({ ...changes, outfile: workerFile });
    front = await openFront(site, { workerFile });
  }

  it("may fail before it has read the page", async () => {
    await openBroken({ plugins: [replace("head-tag.ts", "createTag")] });
    const page = await visit("/");
    expect([page.body.toString(), page.headers.etag]).toEqual([PAGE, '"a"']);
  });

  it("may fail when it has read the beginning of the page", async () => {
    await openBroken({ plugins: [replace("failure-seen.ts", "findFailure")] });
    const page = await visit("/");
    expect([page.body.toString(), page.headers.etag]).toEqual([PAGE, '"a"']);
  });

  it("may fail as a whole: the runtime asks the site", async () => {
    await openBroken({ plugins: [replace("own-paths.ts", "readOwnPath")] });
    await expectSite();
  });

  /** Makes a function of a module throw. */
  function replace(file: string, name: string): Plugin {
    return {
      name: "replace",
      setup(build) {
        build.onLoad({ filter: new RegExp(`/front/${file}$`) }, async ({ path }) => {
          const { readFile } = await import("node:fs/promises");
          const code = (await readFile(path, "utf8")).replace(
            new RegExp(`(export function ${name}\\([^]*?\\n?\\)[^{\\n]*\\{)`),
            '$1\n  throw new Error("broken");',
          );
          expect(code).toContain("broken");
          return { contents: code, loader: "ts" };
        });
      },
    };
  }
});

describe("a front that is not configured", () => {
  it.each<[string, Record<string, string>]>([
    ["no DSN", { ERRATA_DSN: "" }],
    ["a DSN that is none", { ERRATA_DSN: "https://errata.example" }],
    ["a path that is none", { ERRATA_PATH: "monitoring" }],
    ["the path of all pages", { ERRATA_PATH: "/" }],
  ])("passes everything on, and says why: %s", async (_, vars) => {
    front = await openFront(site, { vars });
    await expectSite();
    const said = front.log.map(({ message }) => message).join("\n");
    expect(said).toContain("Until then, pages pass unchanged.");
  });

  it("says so once", async () => {
    front = await openFront(site, { vars: { ERRATA_DSN: "" } });
    await visit("/");
    await visit("/");
    expect(front.log).toHaveLength(1);
  });
});

it("a page of Errata itself behind a route of the front passes as it is", async () => {
  front = await openFront(site);
  const headers = { ...NAVIGATION, host: "errata.example" };
  expect((await visit("/", { headers })).body.toString()).toBe(PAGE);
});
