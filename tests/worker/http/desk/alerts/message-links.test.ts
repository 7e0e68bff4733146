import { runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { addSlack, DIGEST, toText } from "#support/alerts/alert-pages.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, getAlertSender, log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

describe("a link of a message", () => {
  const actionLink = async (action: string, atMs = readNowMs()) => {
    await log.append([createReport(1, { digest: DIGEST })]);
    await addSlack();
    await runDurableObjectAlarm(getAlertSender());
    const { createActionPath } = await import("#src/store/alerts/action-links.ts");
    const stored = await bindings.KV.get<{ actionKey: string }>("alerts/1/settings", "json");
    const key = { project: "1", actionKey: stored?.actionKey ?? "" };
    return createActionPath(key, action as "resolve", DIGEST, atMs);
  };

  it.each([
    ["resolve", "Resolve this issue?", "resolved"],
    ["snooze", "Snooze this issue?", "snooze"],
    // Of a message that an earlier release sent.
    ["ignore", "Snooze this issue?", "snooze-1h"],
  ])("asks before it acts: %s", async (action, question, state) => {
    const { response, body } = await visit(await actionLink(action));
    expect(response.status).toBe(200);
    expect(toText(body)).toContain(question);
    expect(body).toContain(`action="/d/${DIGEST}/state"`);
    expect(body).toContain(`value="${state}"`);
    expect((await projectStore.getFreshIssue(DIGEST))?.state).toBe("open");
  });

  it("is refused if it was changed, has expired or is of another project, and changes nothing", async () => {
    const link = new URL(await actionLink("resolve"), "http://x");
    const forge = (name: string, value: string) => {
      const forged = new URL(link);
      forged.searchParams.set(name, value);
      return forged.pathname + forged.search;
    };
    for (const path of [
      forge("action", "ignore"),
      forge("digest", "8F3K-Q2M9"),
      forge("until", String(readNowMs() + 1e12)),
      forge("signature", "x"),
      forge("signature", ""),
      forge("action", "erase"),
      "/alerts/act",
      // Signed, but eight days ago; and signed by another project.
      await actionLink("resolve", readNowMs() - 8 * 86_400_000),
      `/p/2${link.pathname}${link.search}`,
    ]) {
      const { response, body } = await visit(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(body).not.toContain(`action="/d/`);
    }
    expect((await projectStore.getFreshIssue(DIGEST))?.state).toBe("open");
  });
});
