import { afterEach, describe, expect, it } from "vitest";
import type { Report } from "#src/core/report.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore, uploadChunk } from "#support/store/store.ts";

afterEach(() => emptyStore());

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

const traced = (n: number, message: string, over: Partial<Report> = {}) =>
  createReport(n, { message, traceId: TRACE, ...over });

const listMessages = async (trace = TRACE) =>
  (await projectStore.listTrace(trace)).map(({ summary }) => summary.message);

describe("the reports of a trace", () => {
  it("are those of all senders, oldest first, with the issue that counts each", async () => {
    await log.append([
      traced(3, "in the browser", { side: "browser", trust: "page", digest: "0000-00G1" }),
      traced(1, "in the object", { digest: "0000-0000" }),
      traced(2, "in the Worker", { digest: "0000-0000", isLinked: true }),
      createReport(4, { message: "of another request", traceId: "a".repeat(32) }),
    ]);
    const found = await projectStore.listTrace(TRACE);
    expect(found.map(({ digest, summary }) => [digest, summary.message, summary.trust])).toEqual([
      ["0000-0000", "in the object", "server"],
      ["0000-0000", "in the Worker", "server"],
      ["0000-00G1", "in the browser", "page"],
    ]);
  });

  it("are found before and after the upload to KV", async () => {
    await log.append([traced(1, "uploaded")]);
    await uploadChunk();
    await log.append([traced(2, "in the log")]);
    expect(await listMessages()).toEqual(["uploaded", "in the log"]);
  });

  it("are at most five of servers and five of others: the newest", async () => {
    const send = (numbers: readonly number[]) =>
      log.append([
        ...numbers.map((n) => traced(n, `server ${n}`)),
        ...numbers.map((n) => traced(100 + n, `public ${n}`, { trust: "public" })),
      ]);
    await send([0, 1, 2, 3, 4]);
    await uploadChunk();
    await send([5, 6, 7]);
    const newest = [3, 4, 5, 6, 7];
    expect(await listMessages()).toEqual([
      ...newest.map((n) => `server ${n}`),
      ...newest.map((n) => `public ${n}`),
    ]);
  });

  it.each(["", "0".repeat(32), "no trace", "b".repeat(32)])("are none for %j", async (trace) => {
    await log.append([traced(1, "of a trace")]);
    expect(await listMessages(trace)).toEqual([]);
  });
});
