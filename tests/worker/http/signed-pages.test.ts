import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { createPageTokens } from "#src/auth/page-tokens.ts";
import { toPolicyHash } from "#src/core/trust/page-token-format.ts";
import { createMembers, ORIGIN as INTERNET } from "#support/accounts/members.ts";
import { emptyRegistry, pageTokens } from "#support/accounts/page-tokens.ts";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { NOW_MS } from "#support/store/store.ts";

const ORIGIN = "http://localhost:8787";

describe("the pages of Errata", () => {
  afterEach(() => emptyStore());

  const tokenIn = (text: string | null) =>
    /\/monitoring\?t=([\w-]{40})["\s;]?/.exec(text ?? "")?.[1];

  it.each([
    ["over http", ORIGIN, "content-security-policy"],
    ["over https", "https://errata.localhost", "reporting-endpoints"],
  ])("carry one token, for the reporter and the browser itself, %s", async (_, origin, header) => {
    const { response, body } = await visit("/", { origin, services: { pageTokens } });
    const token = tokenIn(response.headers.get(header)) ?? "";
    expect(token).toHaveLength(40);
    expect(/<meta name="errata" content="([^"]*)"/.exec(body)?.[1]).toBe(`/monitoring?t=${token}`);
    const traceId = /desc="([0-9a-f]{32})/.exec(response.headers.get("server-timing") ?? "")?.[1];
    const verified = await pageTokens.verify(token, { project: "1", origin });
    const pageId = traceId?.slice(0, 16);
    const policy = response.headers.get("content-security-policy") ?? "";
    const policyHash = toPolicyHash(policy, (text) => createHash("sha256").update(text).digest());
    const value = { pageId, policyHash, isOwn: true, raisesTrust: true };
    expect(verified).toEqual({ ok: true, value });
  });

  it.each(["/self-test/shell", "/self-test/failure-page"])(
    "carry it when they fail: %s",
    async (path) => {
      const { response, body } = await visit(path, { services: { pageTokens } });
      expect(response.status).toBe(500);
      const token = tokenIn(response.headers.get("content-security-policy"));
      expect(token).toHaveLength(40);
      expect(body).toContain(`<meta name="errata" content="/monitoring?t=${token}"`);
    },
  );

  it("of other projects carry a token of project 1, which receives their reports", async () => {
    const members = await createMembers();
    const { createdId } = await members.change(members.deployer, {
      do: "create-project",
      name: "Shop",
    });
    const services = { registry: members.registry, pageTokens };
    const { response, body } = await visit(`/p/${createdId}/status`, { services });
    expect(response.status).toBe(200);
    const token = tokenIn(body) ?? "";
    expect(await pageTokens.verify(token, { project: "1", origin: ORIGIN })).toMatchObject({
      ok: true,
    });
  });

  const verify = async (token = "", origin = INTERNET) => {
    const verified = await pageTokens.verify(token, { project: "1", origin });
    return verified.ok ? verified.value : verified.reason;
  };

  it("carry one that raises no trust for a person who is a member of other projects only", async () => {
    const members = await createMembers();
    const { createdId = "" } = await members.change(members.deployer, {
      do: "create-project",
      name: "Shop",
    });
    for (const project of [createdId, "1"]) {
      const { proof } = await members.invite("member", project);
      const services = { ...members.services, pageTokens };
      const path = project === "1" ? "/status" : `/p/${project}/status`;
      const { response, body } = await visit(path, { origin: INTERNET, headers: proof, services });
      expect(response.status).toBe(200);
      const token = tokenIn(response.headers.get("reporting-endpoints"));
      expect(body).toContain(`/monitoring?t=${token}`);
      expect(await verify(token)).toMatchObject({ isOwn: true, raisesTrust: project === "1" });
    }
  });

  it.each([
    ["a receipt", "/e/0000-0000"],
    ["a page that does not exist", "/missing"],
    ["the sign-in page", "/sign-in"],
  ])("carry one that raises no trust if strangers can open them: %s", async (_what, path) => {
    const { services } = await createMembers();
    const request = { origin: INTERNET, services: { ...services, pageTokens } };
    const { response, body } = await visit(path, request);
    const token = tokenIn(response.headers.get("reporting-endpoints"));
    expect(body).toContain(`<meta name="errata" content="/monitoring?t=${token}"`);
    expect(await verify(token)).toMatchObject({ isOwn: true, raisesTrust: false });
  });

  it("carry none without a server key", async () => {
    const none = createPageTokens({ registry: emptyRegistry, nowMs: () => NOW_MS });
    const { response, body } = await visit("/", { services: { pageTokens: none } });
    expect(response.headers.get("content-security-policy")).toMatch(/report-uri \/monitoring$/);
    expect(body).toContain('<meta name="errata" content="/monitoring"');
  });
});
