import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { parseIssueQuery } from "#src/core/issue/issue-query.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getIndex, log, projectStore } from "#support/store/store.ts";

const [ENDLESS, MUTED, TIMED, COUNTED] = ["0000-0000", "0000-0001", "0000-0002", "0000-0003"];

const find = async (query: string) => {
  const { issues } = await projectStore.listIssues(parseIssueQuery(query));
  return issues.map(({ digest, state }) => `${digest} ${state}`).sort();
};

it("an issue that an earlier release ignored without a limit is archived in every list", async () => {
  await emptyStore();
  const digests = [ENDLESS, MUTED, TIMED, COUNTED] as const;
  await log.append(digests.map((digest, n) => createReport(n + 1, { digest: digest ?? "" })));
  await projectStore.listNewestIssues();
  await projectStore.decideMany([`${ENDLESS}`, `${COUNTED}`], { state: "snoozed", forCount: 99 });
  await projectStore.decideMany([`${TIMED}`], { state: "snoozed", forMs: 3_600_000 });
  await projectStore.decideMany([`${MUTED}`], { state: "archived" });
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage: { sql } }) => {
    const states = sql.exec<{ state: string }>("SELECT state FROM issue ORDER BY digest").toArray();
    // The words of the release before, which may have to read them.
    expect(states.map(({ state }) => state)).toEqual(["ignored", "muted", "ignored", "ignored"]);
    sql.exec(
      `UPDATE decision SET body = json_remove(body, '$.untilCount', '$.forCount') WHERE name = ?`,
      ENDLESS,
    );
    sql.exec(
      `UPDATE issue SET summary =
         json_remove(summary, '$.decision.untilCount', '$.decision.forCount')
       WHERE digest = ?`,
      ENDLESS,
    );
  });
  const archived = [`${ENDLESS} archived`, `${MUTED} archived`];
  const snoozed = [`${TIMED} snoozed`, `${COUNTED} snoozed`];
  expect(await find("is:archived")).toEqual(archived);
  expect(await find("is:muted")).toEqual(archived);
  expect(await find("is:snoozed")).toEqual(snoozed);
  expect(await find("is:ignored")).toEqual([...archived, ...snoozed]);
  expect(await find("-is:archived")).toEqual(snoozed);
  expect(await find("")).toEqual([...archived, ...snoozed]);
  expect(await find("is:open")).toEqual([]);
});
