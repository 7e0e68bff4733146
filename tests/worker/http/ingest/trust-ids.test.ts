import { abortAllDurableObjects } from "cloudflare:test";
import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { listOtherIds } from "#src/core/report/report-id.ts";
import { TRUST_LEVELS, type Trust } from "#src/core/trust/trust.ts";
import { formatOutcomeHeader } from "#src/http/ingest/receive-reports.ts";
import { createProjectStore } from "#src/store/client/project-store.ts";
import { createReportWriter } from "#src/store/client/report-writer.ts";
import { selectShard } from "#src/store/kv/keys.ts";
import { createEventBody, sendAs } from "#support/http/send-as.ts";
import { skipPauses } from "#support/http/skip-pauses.ts";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, NOW_MS, projectStore, uploadChunk } from "#support/store/store.ts";

skipPauses();

afterEach(() => emptyStore());

const ID = "c0ffee00d56b46ecbfb342d868e140ef";
const sha256 = (text: string) => createHash("sha256").update(text).digest();
const LOWEST_FIRST = [...TRUST_LEVELS].reverse();

const otlp = JSON.stringify({
  resourceLogs: [
    {
      resource: { attributes: [{ key: "service.name", value: { stringValue: "shop" } }] },
      scopeLogs: [
        {
          logRecords: [
            {
              timeUnixNano: "1795282200000000000",
              severityNumber: 17,
              traceId: "0af7651916cd43dd8448eb211c80319c",
              body: { stringValue: "payment failed" },
              attributes: [
                { key: "exception.type", value: { stringValue: "PaymentError" } },
                { key: "exception.message", value: { stringValue: "no provider" } },
              ],
            },
          ],
        },
      ],
    },
  ],
});
const userReport = `{}\n{"type":"user_report"}\n${JSON.stringify({ event_id: ID, name: "Ada", comments: "blank" })}\n`;
const reporting = JSON.stringify([
  {
    type: "deprecation",
    age: 10,
    url: "https://shop.example/",
    user_agent: "Mozilla/5.0",
    body: { id: "websql", message: "WebSQL is deprecated" },
  },
]);

describe.each([
  ["an event with a known id", createEventBody(ID, "declined")],
  ["an OTLP record, whose id is derived from its contents", otlp],
  ["a user report, whose id is derived from its contents", userReport],
  ["a browser's report, whose id is derived from contents, sender and time", reporting],
])("%s", (_, body) => {
  it("is not a retry of a report of another trust level, before and after an upload", async () => {
    for (const trust of LOWEST_FIRST) {
      const { outcomes } = await sendAs(trust, body);
      expect(outcomes, trust).toMatchObject([{ outcome: "accepted", isDuplicate: false }]);
    }
    await uploadChunk();
    await abortAllDurableObjects();
    for (const trust of LOWEST_FIRST) {
      const { outcomes } = await sendAs(trust, body);
      expect(outcomes, trust).toMatchObject([{ outcome: "accepted", isDuplicate: true }]);
    }
  });
});

describe("the sender's id", () => {
  it("is in the response and its outcomes at every level", async () => {
    for (const trust of LOWEST_FIRST) {
      const { id, outcomes } = await sendAs(trust, createEventBody(ID, "declined"));
      expect(id).toBe(ID);
      expect(formatOutcomeHeader(outcomes)).toContain(`id="${ID}"`);
    }
  });

  it("leads to the report with the highest trust, of any age", async () => {
    const expected: string[] = [];
    for (const trust of LOWEST_FIRST) {
      const { outcomes } = await sendAs(trust, createEventBody(ID, `a ${trust} error`));
      const [outcome] = outcomes;
      const digest = outcome !== undefined && "digest" in outcome ? outcome.digest : "";
      expected.push(digest ?? "");
      expect((await projectStore.locateReport(ID))?.digest, trust).toBe(digest);
      expect((await projectStore.locateRecentReport(ID))?.digest, trust).toBe(digest);
    }
    expect(new Set(expected).size).toBe(3);
    await uploadChunk();
    await abortAllDurableObjects();
    expect((await projectStore.locateReport(ID))?.digest).toBe(expected.at(-1));
  });

  it("leads an owner to a public report's page, where the owner can erase that report", async () => {
    await sendAs("public", createEventBody(ID, "declined"));
    const found = await visit(`/lookup?q=${ID}`, { redirect: "manual" });
    const path = found.response.headers.get("location") ?? "";
    const stored = new URL(path, "http://a.example").searchParams.get("report") ?? "";
    expect(stored).toMatch(/^c0ffee00[0-9a-f]{24}$/);
    expect(stored).not.toBe(ID);
    expect((await visit(path)).body).toContain(ID);
    const digest = (await projectStore.locateReport(ID))?.digest ?? "";
    const issue = await visit(`/d/${digest}.json?report=${ID}`);
    expect(JSON.parse(issue.body)).toMatchObject({ id: stored, eventId: ID });
    const erased = await visit(`/d/${digest}/erase`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ report: ID }),
    });
    expect(JSON.parse(erased.body)).toEqual({ erased: true });
    expect((await projectStore.locateReport(ID))?.id).toBeUndefined();
  });

  it("belongs to one shard with all ids of its reports, and one call finds it there", async () => {
    const shards = 7;
    const settings = { project: "1", shards, nowMs: () => NOW_MS };
    const writer = createReportWriter(bindings, settings);
    for (const trust of LOWEST_FIRST) await sendAs(trust, createEventBody(ID, trust), writer);
    for (const id of listOtherIds(ID, sha256))
      expect(selectShard(id, shards)).toBe(selectShard(ID, shards));
    const calledShards: string[] = [];
    const counting = {
      ...bindings,
      REPORT_LOG: {
        getByName: (name: string) => {
          calledShards.push(name);
          return bindings.REPORT_LOG.getByName(name);
        },
      } as unknown as typeof bindings.REPORT_LOG,
    };
    const store = createProjectStore(counting, settings);
    expect(await store.locateReport(ID)).not.toBeNull();
    // Once to find the report, once to read its line.
    expect(calledShards).toEqual(Array(2).fill(`1/${selectShard(ID, shards)}`));
  });
});

describe("a session", () => {
  const session = (sid: string) =>
    `{}\n{"type":"session"}\n${JSON.stringify({ sid, status: "crashed", attrs: { release: "shop@1" } })}\n`;

  it("does not hide an event whose id differs from the session's id in the last digit only", async () => {
    await sendAs("public", session(ID));
    for (const last of ["0", "1", "2", "3", "f"]) {
      const { outcomes } = await sendAs(
        "server",
        createEventBody(ID.slice(0, -1) + last, "declined"),
      );
      expect(outcomes, last).toMatchObject([{ outcome: "accepted", isDuplicate: false }]);
    }
  });

  it("counts once per trust level", async () => {
    const count = async () =>
      (await projectStore.listCounters(1))
        .filter(({ name }) => name[0] === "session" && name.includes("crashed"))
        .reduce((sum, counter) => sum + counter.count, 0);
    const trusts: readonly Trust[] = ["public", "page", "server", "public", "server"];
    for (const trust of trusts) await sendAs(trust, session(ID));
    expect(await count()).toBe(3);
  });
});

describe("attachments and feedback of a public envelope", () => {
  it("belong to the report of their envelope", async () => {
    const file = `{"type":"attachment","length":1,"filename":"a.txt"}\nx\n`;
    const feedback = `{"type":"user_report"}\n${JSON.stringify({ event_id: ID, comments: "blank" })}\n`;
    const { outcomes } = await sendAs(
      "public",
      `${createEventBody(ID, "declined")}${file}${feedback}`,
    );
    const [event] = outcomes;
    const digest = event !== undefined && "digest" in event ? event.digest : "";
    expect(outcomes).toMatchObject([
      { item: "event", id: ID, digest },
      { item: "attachment", id: ID, digest },
      { item: "user_report", digest },
    ]);
    const report = await projectStore.readReport({
      position: (await projectStore.locateReport(ID))?.position ?? "",
    });
    expect(report?.attachments).toMatchObject([{ name: "a.txt" }]);
  });

  it("about a server's event links to that event's issue and adds nothing else to it", async () => {
    const { outcomes } = await sendAs("server", createEventBody(ID, "declined"));
    const [event] = outcomes;
    const digest = event !== undefined && "digest" in event ? (event.digest ?? "") : "";
    const before = await projectStore.getFreshIssue(digest);
    const sent = await sendAs("public", userReport);
    expect(sent.outcomes).toMatchObject([{ outcome: "accepted", digest }]);
    const after = await projectStore.getFreshIssue(digest);
    expect(after?.linkedCount).toBe((before?.linkedCount ?? 0) + 1);
    expect(after).toMatchObject({
      count: 1,
      message: before?.message,
      firstSeenMs: before?.firstSeenMs,
    });
    expect((await projectStore.locateReport(ID))?.digest).toBe(digest);
  });
});
