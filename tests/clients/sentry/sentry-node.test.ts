import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readEnvelope } from "../envelope.ts";
import { openErrata } from "../errata.ts";
import { type ForwardedRequest, openSite, type Site } from "../site.ts";

const errata = openErrata();
let proxy: Site;
beforeAll(async () => {
  proxy = await openSite((path) => ({ forwardTo: `${errata.url}${path}` }));
});
afterAll(async () => proxy?.close());

const program = fileURLToPath(new URL("../programs/node-program.mjs", import.meta.url));
const timeout = 30_000;

/**
 * Runs the program until it exits, with any exit code, and resolves to the id of the last event
 * that its SDK sent.
 */
function run(mistake: string, dsn: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { PATH } = process.env;
    const env = { PATH, SENTRY_DSN: dsn, SENTRY_RELEASE: "store@7", SENTRY_ENVIRONMENT: "staging" };
    execFile(process.execPath, [program, mistake], { env, timeout }, (error, stdout, stderr) => {
      const id = /^event ([0-9a-f]{32})$/m.exec(stdout)?.[1];
      if (id === undefined) reject(error ?? new Error(`No event was sent.\n${stdout}${stderr}`));
      else resolve(id);
    });
  });
}

const MISTAKES = [
  { mistake: "uncaught", title: "RangeError: order A-17 has no address" },
  { mistake: "rejection", title: "RangeError: order B-4 has no address" },
  {
    mistake: "large",
    title: "Error: the parcel stays here",
    cause: { type: "RangeError", message: "order C-9 has no address" },
    breadcrumb: { category: "order", message: "the receipt was printed" },
  },
  { mistake: "message", title: "Message: the store is full", level: "warning" },
];

describe("@sentry/node by the DSN of servers", () => {
  it.each(MISTAKES)("sends an event that is stored complete: $mistake", async (expected) => {
    const id = await run(expected.mistake, errata.serverDsn);
    const { title, report } = await errata.find(id);
    expect(title).toBe(expected.title);
    expect(report).toMatchObject({
      id,
      trust: "server",
      side: "server",
      format: "sentry",
      release: "store@7",
      environment: "staging",
    });
    if (expected.level !== undefined) expect(report.level).toBe(expected.level);
    if (expected.cause !== undefined) expect(report.causes).toMatchObject([expected.cause]);
    if (expected.breadcrumb !== undefined) {
      expect(report.breadcrumbs).toContainEqual(expect.objectContaining(expected.breadcrumb));
    }
    if (expected.level === undefined) {
      const own = [...report.frames, ...(report.causes?.[0]?.frames ?? [])].filter((frame) =>
        frame.file?.endsWith("programs/node-program.mjs"),
      );
      expect(own.map((frame) => frame.function)).toContain("ship");
      // The SDK reads source lines from the disk and sends them.
      expect(own.map((frame) => frame.source).join("\n")).toContain("throw new RangeError(");
    }
  });

  it("sends gzip above 32 KiB, and every response is a 200", async () => {
    const id = await run("large", errata.serverDsn.replace(/@[^/]+/, `@127.0.0.1:${proxy.port}`));
    expect(proxy.forwarded.map(({ status }) => status)).toEqual(proxy.forwarded.map(() => 200));
    const [sent] = proxy.forwarded.filter(({ body }) => readEnvelope(body)?.id === id);
    expect(sent).toMatchObject({ method: "POST", headers: { "content-encoding": "gzip" } });
    expect(gunzipSync((sent as ForwardedRequest).body).length).toBeGreaterThan(32 * 1024);
    expect((await errata.find(id)).title).toBe("Error: the parcel stays here");
  });
});
