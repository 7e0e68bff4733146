/** One list over all projects of a person. */
import { beforeEach, describe, expect, it } from "vitest";
import { createMembers, ORIGIN, type Proof, type TestMembers } from "#support/accounts/members.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, openTestStorage } from "#support/store/store.ts";

const NAME = "Back office";
const HOUR_MS = 3_600_000;
let members: TestMembers;
let both: Proof;

beforeEach(async () => {
  await emptyStore();
  members = await createMembers();
  const { deployer, change, token } = members;
  await change(deployer, { do: "create-project", name: NAME });
  both = (await token("viewer", "1", { isForAllProjects: true })).proof;
  const { occurredAtMs } = createReport(0);
  const at = (hours: number) => ({
    occurredAtMs: occurredAtMs + hours * HOUR_MS,
    receivedAtMs: occurredAtMs + hours * HOUR_MS,
  });
  await log.append([
    createReport(1, { digest: "7F3K-Q2M9", message: "no price", ...at(0) }),
    createReport(2, { digest: "0000-0000", message: "no stock", ...at(-2) }),
    createReport(3, { digest: "0000-0000", message: "no stock", ...at(-2) }),
  ]);
  await openTestStorage("2").reportWriter.append([
    createReport(4, { digest: "0000-0001", message: "no invoice", ...at(-1) }),
  ]);
});

async function read(path: string, proof: Proof, headers: Record<string, string> = {}) {
  const { response, body } = await visit(path, {
    origin: ORIGIN,
    services: members.services,
    headers: { accept: "application/json", ...proof, ...headers },
  });
  return { status: response.status, body };
}

describe("the list of all projects", () => {
  it.each([
    ["last", ["7F3K-Q2M9 1", "0000-0001 2", "0000-0000 1"]],
    ["count", ["0000-0000 1", "7F3K-Q2M9 1", "0000-0001 2"]],
  ])("is one list, sorted by %s", async (sort, expected) => {
    const { status, body } = await read(`/api/v1/all-issues?sort=${sort}`, both);
    expect(status).toBe(200);
    const { issues, projects } = JSON.parse(body);
    const listed = issues.map(
      ({ digest, project }: { digest: string; project: { id: string } }) =>
        `${digest} ${project.id}`,
    );
    expect(listed).toEqual(expected);
    expect(projects).toMatchObject([
      { id: "1", total: 2 },
      { id: "2", name: NAME, total: 1 },
    ]);
  });

  it("is searched as a whole", async () => {
    const { body } = await read("/api/v1/all-issues?query=invoice", both);
    expect(JSON.parse(body).issues).toMatchObject([{ digest: "0000-0001", project: { id: "2" } }]);
  });

  it("has nothing of a project in which the caller has no role", async () => {
    const { proof } = await members.invite("viewer", "1");
    for (const path of ["/api/v1/all-issues", "/all-issues", "/all-issues.json"]) {
      const { status, body } = await read(path, proof);
      expect(status).toBe(200);
      expect(body).not.toMatch(/invoice|0000-0001|Back office/);
    }
  });

  it("is a page whose rows name the project and lead into it", async () => {
    const { proof } = await members.invite("viewer", "2");
    const { body } = await read("/p/2/all-issues", proof, { accept: "text/html" });
    expect(body).toContain('href="/p/2/d/0000-0001');
    expect(body).toMatch(/<bdi>Back office<\/bdi>/);
  });
});
