/** Repositories and owners of a project, as owners set them, over the real objects. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listMemberNames } from "#src/core/accounts/names.ts";
import type { Report } from "#src/core/report.ts";
import { repositoryLimits } from "#src/core/repositories/repository-limits.ts";
import { createMembers, ORIGIN, OWN_PAGE, type TestMembers } from "#support/accounts/members.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, getIndex, log, writeSnapshots } from "#support/store/store.ts";

const RELEASE = "shop@1.4.2";
const DIGEST = createReport(0).digest;
const FRAME = { file: "/app/src/cart.ts", function: "total", line: 7, column: 3, inApp: true };
const COMMIT = { id: "3f2a9c1b04d5e6f7", files: ["web/src/cart.ts"], repository: "acme/shop" };

let members: TestMembers;
let tokens: Record<"owner" | "member" | "viewer", Record<string, string>>;

beforeEach(async () => {
  members = await createMembers();
  const [owner, member, viewer] = await Promise.all([
    members.token("owner"),
    members.token("member"),
    members.token("viewer"),
  ]);
  tokens = { owner: owner.proof, member: member.proof, viewer: viewer.proof };
});
afterEach(() => emptyStore());

async function call(method: string, path: string, body?: object, headers = tokens.owner) {
  const { response, body: text } = await visit(path, {
    method,
    origin: ORIGIN,
    services: members.services,
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const isJson = response.headers.get("content-type")?.includes("json");
  return { status: response.status, text, json: isJson ? JSON.parse(text) : undefined };
}

const api = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
  call(method, `/api/v1${path}`, body, headers);
const append = (n: number, over: Partial<Report> = {}) =>
  log.append([
    createReport(n, {
      ...{ digest: DIGEST, release: RELEASE, frames: [FRAME], occurredAtMs: readNowMs() },
      ...over,
    }),
  ]);
/** The name of a member. */
async function readName(): Promise<string> {
  return listMemberNames(await members.registry.readFresh(), "1")[0] ?? "";
}
const readIssue = async () => (await api("GET", `/issues/${DIGEST}`)).json;
const addShop = () => api("POST", "/repositories", { url: "https://github.com/acme/shop" });

describe("the repositories of a project", () => {
  it("are added, replaced and removed by owners, and read by members", async () => {
    const added = await addShop();
    expect(added.status).toBe(200);
    const [{ id }] = added.json.repositories;
    const changed = await api("POST", "/repositories", {
      id,
      url: "https://gitlab.com/acme/shop",
      branch: "trunk",
      folder: "/web/",
    });
    expect(changed.json.repositories).toEqual([
      { id, kind: "gitlab", url: "https://gitlab.com/acme/shop", branch: "trunk", folder: "web" },
    ]);
    expect((await api("GET", "/repositories", undefined, tokens.member)).json).toMatchObject({
      repositories: [{ id, kind: "gitlab" }],
      rules: "",
      handles: [],
      codeOwners: [],
    });
    expect(await getIndex().readRepositories()).toMatchObject([{ id, folder: "web" }]);
    expect((await api("DELETE", `/repositories/${id}`)).json).toEqual({ repositories: [] });
    expect(await api("DELETE", `/repositories/${id}`)).toMatchObject({
      status: 404,
      json: { reason: "unknown-repository" },
    });
  });

  it("are no business of others", async () => {
    const body = { url: "https://github.com/acme/shop" };
    expect((await api("POST", "/repositories", body, tokens.member)).status).toBe(403);
    expect((await api("PUT", "/owners", { rules: "" }, tokens.member)).status).toBe(403);
    expect((await api("GET", "/repositories", undefined, tokens.viewer)).status).toBe(403);
  });

  it("are refused with what was expected, and limited in number", async () => {
    const refused = await api("POST", "/repositories", { url: "http://github.com/acme/secret" });
    expect(refused).toMatchObject({ status: 400, json: { reason: "bad-request" } });
    expect(refused.text).toContain("the https URL of a repository");
    expect(refused.text).not.toContain("secret");
    for (let n = 0; n < repositoryLimits.maxRepositories; n++)
      await getIndex().saveRepository({
        id: `${n}`,
        kind: "github",
        url: `https://github.com/a/${n}`,
      });
    expect(await addShop()).toMatchObject({ status: 409, json: { reason: "too-many" } });
  });
});

describe("the repositories, the rules and CODEOWNERS", () => {
  it("are exported, imported where the project has none, and copied to KV", async () => {
    await addShop();
    const name = await readName();
    await api("PUT", "/owners", { rules: `path:src/** -> ${name}`, handles: `@cart = ${name}` });
    const codeOwners = { path: "CODEOWNERS", text: "* @cart" };
    await api("PUT", `/releases/${RELEASE}`, { codeOwners });
    const before = await getIndex().readCodeSettings();
    const { records } = await getIndex().exportTriage();
    expect(records.map(({ kind }) => kind)).toEqual(["repositories", "code-owners"]);
    const { records: rest } = await getIndex().exportTriage("repositories");
    expect(rest.map(({ kind }) => kind)).toEqual(["code-owners"]);
    await writeSnapshots();
    const { keys } = await bindings.KV.list({ prefix: "" });
    const names = keys.map((key) => key.name);
    expect(names).toContain("repositories/1/settings");
    expect(names).toContain("code-owners/1/files");
    await emptyStore();
    await getIndex().importTriage(records);
    expect(await getIndex().readCodeSettings()).toEqual(before);
    await getIndex().saveRepository({ id: "b", kind: "github", url: "https://github.com/a/b" });
    await getIndex().importTriage(records);
    expect(await getIndex().readRepositories()).toHaveLength(2);
  });
});

describe("the settings page", () => {
  it("shows a refused form again with its fields and the reason, and members no form", async () => {
    const { proof } = await members.invite("owner");
    const form = (fields: Record<string, string>) =>
      visit("/settings/repositories", {
        method: "POST",
        origin: ORIGIN,
        services: members.services,
        headers: { ...proof, ...OWN_PAGE, "content-type": "application/x-www-form-urlencoded" },
        body: String(new URLSearchParams(fields)),
      });
    const refused = await form({ do: "owners", rules: "path:src/** @cart" });
    expect(refused.response.status).toBe(400);
    expect(refused.body).toContain("in line 1 of the rules");
    expect(refused.body).toContain("path:src/** @cart</textarea>");
    const saved = await form({ do: "save", url: "https://github.com/acme/shop", branch: "" });
    expect(saved.response.status).toBe(303);
    expect(await getIndex().readRepositories()).toMatchObject([{ kind: "github" }]);
    const member = await members.invite("member");
    const page = await call("GET", "/settings/repositories", undefined, member.proof);
    expect(page.text).toContain("acme/shop");
    expect(page.text).not.toContain("<textarea");
  });
});

describe("a frame of the application", () => {
  it("links to its line at the commit of the release, in the API and on the page", async () => {
    await addShop();
    await api("PUT", `/releases/${RELEASE}`, { commits: [COMMIT] });
    await append(1);
    const url = "https://github.com/acme/shop/blob/3f2a9c1b04d5e6f7/web/src/cart.ts#L7";
    const { reports } = await readIssue();
    expect(reports[0].frames[0].sourceUrl).toBe(url);
    expect(reports[0].sourceRevisions).toEqual([{ repository: "acme/shop", commit: COMMIT.id }]);
    const one = await api("GET", `/issues/${DIGEST}/reports/${reports[0].id}`);
    expect(one.json.frames[0].sourceUrl).toBe(url);
    const investigated = await api("GET", `/issues/${DIGEST}/investigation`);
    expect(investigated.json.report.frames[0].sourceUrl).toBe(url);
    expect((await call("GET", `/d/${DIGEST}.md`)).text).toContain(`<${url}>`);
    const page = await call(
      "GET",
      `/d/${DIGEST}`,
      undefined,
      (await members.invite("member")).proof,
    );
    expect(page.text).toContain(`href="${url}"`);
    expect(page.text).not.toContain("Links lead to");
  });

  it("links to the branch of a release without commits, and the page says so", async () => {
    await addShop();
    await append(1);
    const [{ frames, sourceRevisions }] = (await readIssue()).reports;
    expect(frames[0].sourceUrl).toBe("https://github.com/acme/shop/blob/HEAD/src/cart.ts#L7");
    expect(sourceRevisions).toEqual([{ repository: "acme/shop", branch: "HEAD" }]);
    const page = await call(
      "GET",
      `/d/${DIGEST}`,
      undefined,
      (await members.invite("member")).proof,
    );
    expect(page.text.replaceAll("<!-- -->", "")).toContain(
      "Links lead to the default branch, where lines may have moved",
    );
  });

  it("of an earlier report links to the commit of its own release", async () => {
    await addShop();
    await api("PUT", "/releases/shop@1.4.1", { commits: [{ ...COMMIT, id: "aaaaaaa1" }] });
    await api("PUT", `/releases/${RELEASE}`, { commits: [COMMIT] });
    await append(1, { release: "shop@1.4.1" });
    await append(2);
    const urls = (await readIssue()).reports.map(
      ({ frames: [frame] }: { frames: { sourceUrl: string }[] }) => frame?.sourceUrl,
    );
    expect(urls.join(" ")).toMatch(/blob\/3f2a9c1b04d5e6f7\/.* .*blob\/aaaaaaa1\//);
  });

  it("links to the repository that the commits of its release name, if none is set", async () => {
    await append(1);
    expect((await readIssue()).reports[0].frames[0].sourceUrl).toBeUndefined();
    const url = `https://github.com/acme/shop/commit/${COMMIT.id}`;
    await api("PUT", `/releases/${RELEASE}`, { commits: [{ ...COMMIT, url }] });
    expect((await readIssue()).reports[0].frames[0].sourceUrl).toContain("acme/shop/blob/3f2a");
  });
});

describe("the owner of an issue", () => {
  const file = { path: ".github/CODEOWNERS", repository: "acme/shop" };
  const sendFile = (text: string) =>
    api("PUT", `/releases/${RELEASE}`, { codeOwners: { ...file, text } }, tokens.member);

  it("is suggested by CODEOWNERS of a release, with the member behind the name", async () => {
    const name = await readName();
    await sendFile("* @all\n/src/ @acme/cart");
    await api("PUT", "/owners", { handles: `@acme/cart = ${name}` });
    await append(1);
    expect((await readIssue()).suggestedOwner).toEqual({
      trust: "server",
      owners: ["@acme/cart"],
      member: name,
      source: "codeowners",
      pattern: "/src/",
      line: 2,
      matched: "src/cart.ts",
    });
    const investigated = await api("GET", `/issues/${DIGEST}/investigation`);
    expect(investigated.json.suggestedOwner).toMatchObject({ member: name });
    const page = await call(
      "GET",
      `/d/${DIGEST}`,
      undefined,
      (await members.invite("member")).proof,
    );
    expect(page.text).toContain("Suggested owner");
    await sendFile("/src/ @acme/web");
    expect((await readIssue()).suggestedOwner.owners).toEqual(["@acme/web"]);
    await sendFile("");
    expect((await readIssue()).suggestedOwner).toBeUndefined();
  });

  it("is suggested by a rule of the project before CODEOWNERS, and nothing is assigned", async () => {
    await sendFile("* @all");
    await api("PUT", "/owners", { rules: "path:src/** -> @web\ntag:area=cart -> @cart" });
    await append(1, { tags: [["area", "cart"]] });
    const { suggestedOwner, assignee } = await readIssue();
    expect(suggestedOwner).toMatchObject({ owners: ["@cart"], source: "rules", line: 2 });
    expect(assignee).toBeUndefined();
  });

  it("of a file above 64 KB is refused", async () => {
    const text = "é".repeat(repositoryLimits.maxCodeOwnersBytes / 2 + 1);
    expect((await sendFile(text)).status).toBe(400);
    expect((await sendFile(text.slice(2))).status).toBe(200);
  });

  it("of rules that are none is refused with the line", async () => {
    const refused = await api("PUT", "/owners", { rules: "path:src/** -> @web\nsrc @web" });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("line 2 of the rules");
    const unknown = await api("PUT", "/owners", { handles: "@web = Nobody Known" });
    expect(unknown.status).toBe(400);
    const assigning = await api("PUT", "/owners", { rules: "assign path:src/** -> @web" });
    expect(assigning.text).toContain("a member in line 1");
  });
});

describe("a rule that assigns", () => {
  const assign = async (level = "") => {
    const name = await readName();
    await api("PUT", "/owners", { rules: `assign ${level} path:src/** -> ${name}` });
    return name;
  };
  const settle = async () => {
    await getIndex().listNewestIssues();
    await getIndex().waitUntilIdle();
  };

  it("assigns a new issue once, says so in its activity, and never overrides a person", async () => {
    const name = await assign();
    await append(1);
    await settle();
    const issue = await readIssue();
    expect(issue.assignee).toBe(name);
    expect(issue.annotations.activity).toMatchObject([
      { action: "assigned", to: name, by: "rule path:src/**" },
    ]);
    await api("PUT", `/issues/${DIGEST}/assignee`, {}, tokens.member);
    await append(2);
    await settle();
    expect((await readIssue()).assignee).toBeUndefined();
  });

  it("assigns no issue that public reports describe, unless its owner allows it", async () => {
    await assign();
    await append(1, { trust: "public" });
    await settle();
    expect((await readIssue()).assignee).toBeUndefined();
  });

  it("assigns public issues if the rule says so", async () => {
    const name = await assign("public");
    await append(1, { trust: "public" });
    await settle();
    expect((await api("GET", `/issues/${DIGEST}?trust=public`)).json.assignee).toBe(name);
  });

  it("assigns no issue that was first seen before the rule", async () => {
    await append(1, { occurredAtMs: readNowMs() - 600_000 });
    await settle();
    await assign();
    await append(2);
    await settle();
    expect((await readIssue()).assignee).toBeUndefined();
  });
});
