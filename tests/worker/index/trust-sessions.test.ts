import { afterEach, describe, expect, it } from "vitest";
import { limits } from "../../../src/core/limits.ts";
import { visit } from "../../support/app.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport } from "../../support/reports.ts";
import { sendAs } from "../../support/send-as.ts";
import { log } from "../../support/store.ts";

afterEach(() => fresh());

const sessions = (release: string, aggregate: object) =>
  `{}\n{"type":"sessions"}\n${JSON.stringify({ aggregates: [aggregate], attrs: { release } })}\n`;
const json = async (path: string) =>
  JSON.parse((await visit(path, { headers: { accept: "application/json" } })).body);

describe("invented sessions of untrusted senders", () => {
  it("do not change the crash-free rate of a release with trusted sessions", async () => {
    await sendAs("server", sessions("shop@1.0", { exited: 98, crashed: 2 }));
    await sendAs("public", sessions("shop@1.0", { crashed: 9_000_000 }));
    const { releases } = await json("/releases");
    expect(releases).toMatchObject([
      {
        name: "shop@1.0",
        crashFreePercent: 98,
        sessions: { started: 100, errored: 0, crashed: 2 },
      },
    ]);
    expect(releases[0].sessions.isPublic).toBeUndefined();
    const status = await json("/status");
    expect(status.sessions).toMatchObject([
      { release: "shop@1.0", started: 100, crashFreePercent: 98 },
      { release: "shop@1.0", started: limits.maxBrowserCountPerItem, isPublic: true },
    ]);
  });

  it("give no crash-free rate to a release that a server named, and no bar", async () => {
    await sendAs("server", sessions("shop@1.0", { exited: 100 }));
    await log.append([aReport(1, { release: "shop@1.1" })]);
    await sendAs("public", sessions("shop@1.1", { exited: 1, crashed: 9 }));
    const [release] = (await json("/releases")).releases;
    expect(release).toMatchObject({ name: "shop@1.1", sessions: { started: 10, isPublic: true } });
    expect(release).not.toHaveProperty("crashFreePercent");
    const list = (await visit("/releases?streaming=off")).body;
    const [row = ""] = list.split('class="release-row"').filter((one) => one.includes("%401.1"));
    expect(row).toContain(" public</small>");
    expect(row).not.toMatch(/10 %|10.0|session-bar/);
    const { body } = await visit("/releases/shop%401.1?streaming=off");
    expect(body).toContain("Reported without a trusted key.");
    expect(body).not.toMatch(/Crash-free sessions|session-bar/);
  });

  it("do not lower the level of a release that only sessions of a server name", async () => {
    await sendAs("public", sessions("shop@1.0", { exited: 1 }));
    await sendAs("server", sessions("shop@1.0", { exited: 1 }));
    await log.append([aReport(1, { release: "shop@1.1", trust: "page" })]);
    expect((await json("/releases")).releases).toMatchObject([
      { name: "shop@1.0", trust: "server", isTrusted: true },
      { name: "shop@1.1", trust: "page", isTrusted: true },
    ]);
  });

  it("are used, and marked, if a release has nothing from trusted senders", async () => {
    await sendAs("public", sessions("shop@1.1", { exited: 9, crashed: 1 }));
    expect((await json("/releases")).releases).toMatchObject([
      { name: "shop@1.1", crashFreePercent: 90, sessions: { started: 10, isPublic: true } },
    ]);
    for (const path of ["/releases", "/status"])
      expect((await visit(`${path}?streaming=off`)).body, path).toContain(" public</small>");
    const page = await visit("/releases/shop%401.1?streaming=off");
    expect(page.body).toContain("Reported without a trusted key.");
  });
});
