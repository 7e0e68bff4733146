/** The inbox of all projects of a person. */
import { beforeEach, describe, expect, it } from "vitest";
import type { AlertInbox } from "#src/core/ports/alerts-port.ts";
import type { Services } from "#src/http/context.ts";
import { createMembers, ORIGIN, type Proof, type TestMembers } from "#support/accounts/members.ts";
import { createAlertedIssue, createAlertMessage } from "#support/alerts/messages.ts";
import { createTestServices, visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { NOW_MS } from "#support/store/store.ts";

let members: TestMembers;
let both: Proof;
let isSecondAway = false;

beforeEach(async () => {
  await emptyStore();
  isSecondAway = false;
  members = await createMembers();
  await members.change(members.deployer, { do: "create-project", name: "Back office" });
  both = (await members.token("viewer", "1", { isForAllProjects: true })).proof;
});

const issue = createAlertedIssue({ digest: "0000-0001", message: "no invoice" });
const INBOXES: Readonly<Record<string, AlertInbox>> = {
  1: {
    messages: [
      createAlertMessage({ id: "m2", title: "Newest", atMs: NOW_MS }),
      createAlertMessage({ id: "m1", title: "Oldest", atMs: NOW_MS - 3_000 }),
    ],
    notices: [],
    unread: 1,
    unreadNotices: 0,
    isFailing: false,
  },
  2: {
    messages: [
      createAlertMessage({ id: "m2", title: "Middle", atMs: NOW_MS - 1_000, issues: [issue] }),
    ],
    notices: [],
    unread: 0,
    unreadNotices: 0,
    isFailing: true,
  },
};

async function read(path: string, proof: Proof, accept = "application/json") {
  const { alerts } = createTestServices({ waitUntil: () => undefined });
  const withInbox = (project: string): Partial<Services> => ({
    alerts: {
      ...alerts,
      readInbox: async () => {
        const inbox = INBOXES[project];
        if (inbox === undefined || (isSecondAway && project === "2")) throw new Error("away");
        return inbox;
      },
      readMarks: async () => ({ unread: 0, unreadNotices: 0, isFailing: false }),
    } as unknown as Services["alerts"],
  });
  const services: Partial<Services> = { ...members.services, ...withInbox("1") };
  const { response, body } = await visit(path, {
    origin: ORIGIN,
    services: {
      ...services,
      forProject: (project) =>
        ({
          ...createTestServices({ waitUntil: () => undefined }),
          ...services,
          ...withInbox(project),
        }) as Services,
    },
    headers: { accept, ...proof },
  });
  return { status: response.status, body };
}

describe("the inbox of all projects", () => {
  it("has the messages of each project, newest first, and those that are unread", async () => {
    const { status, body } = await read("/api/v1/all-alerts?trust=public", both);
    expect(status).toBe(200);
    const { messages, projects } = JSON.parse(body);
    expect(messages.map(({ title }: { title: string }) => title)).toEqual([
      "Newest",
      "Middle",
      "Oldest",
    ]);
    expect(messages.map(({ isUnread = false }) => isUnread)).toEqual([true, false, false]);
    expect(projects).toEqual([
      { id: "1", name: expect.any(String), unread: 1 },
      { id: "2", name: "Back office", unread: 0, isFailing: true },
    ]);
  });

  it("has the others if one project is away, and says which", async () => {
    isSecondAway = true;
    const { status, body } = await read("/api/v1/all-alerts", both);
    expect(status).toBe(200);
    const { messages, projects } = JSON.parse(body);
    expect(messages).toHaveLength(2);
    expect(projects[1]).toEqual({ id: "2", name: "Back office" });
    const page = await read("/all-alerts", both, "text/html");
    expect(page.body).toMatch(/Back office<\/bdi><\/a> <span class="muted">unavailable/);
  });

  it("is a page whose entries name the project and lead into it", async () => {
    const { status, body } = await read("/all-alerts", both, "text/html");
    expect(status).toBe(200);
    expect(body).toContain('href="/p/2/d/0000-0001"');
    expect(body).toMatch(/<bdi>Back office<\/bdi>/);
  });

  it("has nothing of a project in which the caller has no role", async () => {
    const { proof } = await members.invite("viewer", "1");
    for (const path of ["/api/v1/all-alerts", "/all-alerts", "/all-alerts.json"]) {
      const { status, body } = await read(path, proof);
      expect(status).toBe(200);
      expect(body).not.toMatch(/no invoice|0000-0001|Back office|Middle/);
    }
  });
});
