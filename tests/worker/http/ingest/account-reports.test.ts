import { afterEach, describe, expect, it } from "vitest";
import { captureError } from "#src/http/ingest/account-reports.ts";
import { createMembers } from "#support/accounts/members.ts";
import { createTestServices } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const openServices = () => createTestServices({ waitUntil: () => undefined });

describe("an error that a Worker of the account captures", () => {
  it("is a report of a server, with what the context says", async () => {
    const error = Object.assign(new TypeError("no price"), { cart: 7 });
    const request = { method: "PUT", url: "https://shop.example/cart?token=secret" };
    const context = { request, route: "/cart", status: 503, tags: { plan: "gold" } };
    const captured = await captureError(openServices(), error, context);
    if (!captured.ok) throw new Error(captured.reason);
    const { digest, id } = captured.value;
    const issue = await projectStore.getFreshIssue(digest);
    const [summary] = issue?.latestReports ?? [];
    const report = summary && (await projectStore.readReport(summary));
    expect(report).toMatchObject({
      ...{ id, digest, type: "TypeError", message: "no price" },
      ...{ side: "server", trust: "server" },
      request: { method: "PUT", url: "https://shop.example/cart?token=[removed]", route: "/cart" },
      response: { status: 503 },
    });
    expect(report?.frames.length).toBeGreaterThan(0);
    expect(report?.tags).toContainEqual(["plan", "gold"]);
    expect(report?.tags).toContainEqual(["how", "handled"]);
    expect(JSON.stringify(report?.detail)).toContain('"cart":7');
  });

  it.each([
    ["a text", "out of paper", "String: out of paper"],
    ["nothing", undefined, "Undefined: "],
    ["an object", { code: 7 }, "code"],
  ])("may be any value: %s", async (_, thrown, title) => {
    const captured = await captureError(openServices(), thrown, undefined);
    const issue = captured.ok ? await projectStore.getFreshIssue(captured.value.digest) : null;
    expect(`${issue?.type}: ${issue?.message}`).toContain(title);
  });

  it.each([7, "text", null, { reports: [{ type: "A" }], errata: 2, side: "browser", id: "" }])(
    "is one report of a server, whatever the context: %j",
    async (context) => {
      const captured = await captureError(openServices(), new Error("no price"), context);
      const issue = captured.ok ? await projectStore.getFreshIssue(captured.value.digest) : null;
      expect(issue).toMatchObject({ count: 1, message: "no price" });
      expect(issue?.latestReports).toMatchObject([{ side: "server" }]);
    },
  );

  it("is refused for a project that does not exist", async () => {
    const captured = await captureError(openServices(), new Error("no price"), {}, "9");
    expect(captured).toEqual({ ok: false, reason: "unknown-project" });
  });

  it("is stored in the project that the binding names", async () => {
    const { deployer, change, registry } = await createMembers();
    await change(deployer, { do: "create-project", name: "Second" });
    const services = { ...openServices(), registry };
    const captured = await captureError(services, new Error("no price"), {}, "2");
    const digest = captured.ok ? captured.value.digest : "";
    const { projectStore: second } = services.forProject("2");
    expect(await second.getFreshIssue(digest)).toMatchObject({ message: "no price" });
    expect(await projectStore.getFreshIssue(digest)).toBeNull();
  });
});
