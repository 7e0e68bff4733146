import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { limits } from "#src/core/limits.ts";
import type { StoreHealth } from "#src/core/stats/store-health.ts";
import { visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport } from "#support/reports/reports.ts";
import {
  replaceObjectKv,
  runAlarm,
  saveRecord,
  sourceMaps,
  uploadBuild,
} from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, log, projectStore, uploadChunk } from "#support/store/store.ts";

afterEach(() => emptyStore());

const EXTENSION = "chrome-extension://abcdefghijklmnopabcdefghijklmnop/a.js";
const ID = "5aaeee40d56b46ecbfb342d868e140ef";

const postReport = (body: BodyInit) => visit("/monitoring", { method: "POST", body });
const visitJson = (path: string) => visit(path, { headers: { accept: "application/json" } });
const browserReport = (message: string, stack: string) =>
  JSON.stringify({ errata: 1, how: "uncaught", type: "Error", message, stack });

describe("the status page", () => {
  it("lists outcomes by item and reason, as a page and as JSON", async () => {
    await postReport('{}\n{"type":"invention"}\nx\n');
    await postReport('{}\n{"type":"session"}\n{"init":true,"attrs":{"release":"web@2.0.0"}}\n');
    const { response, body, logged } = await visit("/status");
    expect([response.status, logged]).toEqual([200, []]);
    for (const text of ["not stored", "web@2.0.0", "100\u00a0%", "Received"]) {
      expect(body).toContain(text);
    }
    expect(JSON.parse((await visitJson("/status")).body)).toMatchObject({
      received: { total: 2 },
      outcomes: [
        { outcome: "counted", item: "session", total: 1 },
        { outcome: "dropped", item: "other", reason: "not-stored", total: 1 },
      ],
      sessions: [],
      publicSessions: [{ release: "web@2.0.0", started: 1, crashFreePercent: 100 }],
    });
  });

  it("distinguishes sampled items from counted and from unsupported ones", async () => {
    await log.append(
      Array.from({ length: limits.sampledReportsPerHour + 3 }, (_, n) => createReport(n)),
    );
    await postReport('{}\n{"type":"session"}\n{"init":true}\n{"type":"span"}\n{}\n');
    const { body } = await visit("/status?streaming=off");
    const rows = body.match(/<tr data-outcome="counted">.*?<\/tr>/gs) ?? [];
    const text = rows.map((row) =>
      row
        .replace(/<td[^>]*>\d+<\/td>(?=<td)/, "")
        .replace(/<\/t[hd]>/g, "|")
        .replace(/<[^>]*>/g, ""),
    );
    expect(text.toSorted()).toEqual([
      "error|counted only (sampled)|3|",
      "session|counted only|1|",
      "span|not supported|1|",
    ]);
    const { outcomes } = JSON.parse((await visitJson("/status")).body);
    expect(outcomes).toContainEqual({
      ...{ outcome: "counted", item: "error", total: 3 },
      today: expect.any(Number),
    });
  });

  it("has an empty state", async () => {
    const { body } = await visit("/status");
    expect(body.replaceAll("<!-- -->", "")).toContain("No items in the last 7 days.");
  });
});

describe("noise", () => {
  it("is stored and counted, and is listed on its own page in place of the issue list", async () => {
    await postReport(browserReport("x is not a function", `Error: x\n    at f (${EXTENSION}:1:2)`));
    await postReport(
      browserReport("no price", "Error: no price\n    at g (https://shop.example/a.js:1:2)"),
    );
    const list = await projectStore.listNewestIssues();
    expect(list).toMatchObject({ total: 1, noiseTotal: 1, issues: [{ message: "no price" }] });
    const { body, logged } = await visit("/issues?q=is:noise");
    expect(logged).toEqual([]);
    expect(body).toContain("x is not a function");
    expect(body).not.toMatch(/class="message"[^>]*>no price/);
    expect((await visit("/")).body).toMatch(/href="\/issues\?q=is%3Anoise">1 issue/);
    const [issue] = JSON.parse((await visitJson("/issues?q=is:noise")).body).issues;
    expect((await visit(`/d/${issue.digest}`)).body).toContain("<b>Noise.</b>");
  });
});

describe("an attachment of a report", () => {
  const page = "<script>alert(1)</script>";
  const files = [
    { filename: "screen.png", content_type: "image/png", bytes: "\u0089PNG" },
    { filename: 'a"; x="\r\nb.html', content_type: "text/html", bytes: page },
  ];

  async function sendAttachments() {
    const parts = [`{"event_id":"${ID}"}\n{"type":"event"}\n{"message":"m","platform":"node"}\n`];
    for (const { bytes, ...header } of files) {
      parts.push(`${JSON.stringify({ type: "attachment", ...header })}\n${bytes}\n`);
    }
    const { response } = await postReport(Uint8Array.from(Buffer.from(parts.join(""), "latin1")));
    const digest = /digest="([^"]+)"/.exec(response.headers.get("errata-outcome") ?? "")?.[1];
    return `/d/${digest}`;
  }

  it("is shown if it is an image and downloaded otherwise; nothing in it is executed", async () => {
    const issue = await sendAttachments();
    const [picture, document] = await Promise.all(
      [0, 1].map((n) => visit(`${issue}/files/${n}?report=${ID}`)),
    );
    expect(picture?.response.headers.get("content-type")).toBe("image/png");
    expect(document?.body).toBe(page);
    expect(document?.response.headers.get("content-type")).toBe("application/octet-stream");
    expect(document?.response.headers.get("content-disposition")).toBe(
      "attachment; filename*=UTF-8''a%22%3B%20x%3D%22%0D%0Ab.html",
    );
    for (const visited of [picture, document]) {
      expect(visited?.response.headers.get("content-security-policy")).toContain("sandbox");
      expect(visited?.response.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it("is named on the issue's page and in its JSON, without its bytes", async () => {
    const issue = await sendAttachments();
    const { body } = await visit(issue);
    const [report] = JSON.parse((await visitJson(issue)).body).reports;
    expect(report.eventId).toBe(ID);
    expect(body).toContain(`${issue}/files/0?report=${report.id}`);
    expect(body).not.toContain(btoa("\u0089PNG"));
    expect(report.attachments).toEqual([
      { name: "screen.png", type: "image/png", bytes: 4 },
      { name: files[1]?.filename, type: "text/html", bytes: page.length },
    ]);
  });

  it.each(["/files/2", "/files/-1", "/files/x", "/files/0?report=0"])(
    "is a 404 at %s",
    async (path) => {
      const { response } = await visit(`${await sendAttachments()}${path}`);
      expect(response.status).toBe(404);
    },
  );
});

it("the status page shows the stored lines, chunks and bytes", async () => {
  await log.append([createReport(1), createReport(2)]);
  await uploadChunk();
  const { body } = await visit("/status.json");
  const { health } = JSON.parse(body) as { health: StoreHealth };
  expect(health.shards).toMatchObject([{ chunks: 1, chunkLines: 2 }]);
  expect(health.shards[0]?.storedBytes).toBeGreaterThan(4_096);
  expect(health.snapshots.storedBytes).toBeGreaterThan(4_096);
  expect((await visit("/status?streaming=off")).body).toContain("2 lines in 1 chunk");
});

it("the status page says which reports a shard that fills no longer finds by their ids", async () => {
  await log.append([createReport(1)]);
  const health = await projectStore.getHealth();
  const shards = health.shards.map((it) => ({ ...it, droppedIdsMs: Date.UTC(2026, 9, 3) }));
  const filling = replaceMethods(projectStore, { getHealth: async () => ({ ...health, shards }) });
  const { body } = await visit("/status?streaming=off", { services: { projectStore: filling } });
  const text = body.replace(/<!-- -->|<[^>]*>/g, "");
  expect(text).toContain(
    "Log shard 0 is almost full. Lookups no longer find reports up to 2026-10-03",
  );
  expect((await visit("/status?streaming=off")).body).not.toContain("almost full");
});

it("the status page says when copies to KV resume if the budget is used up", async () => {
  const health = await projectStore.getHealth();
  const snapshots = { ...health.snapshots, waitMs: 720_000, ageMs: 0 };
  const spent = replaceMethods(projectStore, { getHealth: async () => ({ ...health, snapshots }) });
  const { body } = await visit("/status?streaming=off", { services: { projectStore: spent } });
  const text = body.replace(/<!-- -->|<[^>]*>/g, "").replaceAll("\u00a0", " ");
  expect(text).toContain("resumes in 12 minutes");
  expect(text).toContain("Copying resumes in 12 minutes.");
  expect(text).not.toContain("minutes behind");
});

describe("source maps on the status page", () => {
  // The count of KV writes starts again at midnight UTC.
  beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 21, 12) }));
  afterEach(() => vi.useRealTimers());

  it("have their backlog and their KV writes, also as JSON", async () => {
    expect(JSON.parse((await visitJson("/status")).body)).not.toHaveProperty("sourceMaps");
    await uploadBuild("app", { release: "1" });
    await saveRecord();
    const saved = { converting: 0, unsaved: 0, failedWrites: 0, waitMs: 0, usedToday: 2 };
    expect(JSON.parse((await visitJson("/status")).body).sourceMaps).toMatchObject(saved);
    const text = "0 uploads to convert, 0 uploads to copy to KV. KV writes today: 2 of ";
    const { body } = await visit("/status?streaming=off");
    expect(body.replace(/<!-- -->|&nbsp;/g, "").replaceAll("\u00a0", " ")).toContain(text);
  });

  it("say that KV refuses their writes, until one succeeds", async () => {
    const kv = new Proxy(bindings.KV, {
      get: (target, name) =>
        name === "put" ? () => Promise.reject(new Error("refused")) : Reflect.get(target, name),
    });
    await sourceMaps.summarize();
    await replaceObjectKv(kv);
    await uploadBuild("app", { release: "1" });
    await runAlarm();
    const { body } = await visit("/status?streaming=off");
    expect(body).toMatch(/KV refused .*write.* of source maps\./);
    expect((await sourceMaps.summarize()).backlog).toMatchObject({ unsaved: 1 });
    await replaceObjectKv(bindings.KV);
    await saveRecord();
    expect((await sourceMaps.summarize()).backlog).toMatchObject({ unsaved: 0, failedWrites: 0 });
  });
});

describe("the backup on the status page", () => {
  it.each([
    [{ nextDay: "2026-11-20" }, "Backup: all days before 2026-11-20."],
    [{}, "Backup: no days yet."],
    [
      { nextDay: "2026-11-20", failedMs: 1, problem: "Error: R2 is down" },
      "all days before 2026-11-20. It failed, and will be tried again: Error: R2 is down.",
    ],
  ])("is complete until a day: %j", async (backup, text) => {
    const services = { readBackup: async () => backup };
    const page = await visit("/status?streaming=off", { services });
    expect(page.body.replaceAll("<!-- -->", "")).toContain(text);
    const json = await visit("/status.json", { services });
    expect(JSON.parse(json.body).backup).toEqual(backup);
  });

  it("is not mentioned without a bucket", async () => {
    expect((await visit("/status?streaming=off")).body).not.toContain("Backup:");
    expect(JSON.parse((await visit("/status.json")).body)).not.toHaveProperty("backup");
  });
});
