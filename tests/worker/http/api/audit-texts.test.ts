// The audit log says which thing was changed, for each operation that has an entry of its own.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OperationServices } from "#src/operations/operation.ts";
import { OPERATIONS } from "#src/operations/operations.ts";
import {
  DIGESTS,
  INPUTS,
  PREPARATIONS,
  type StoredIds,
  stopTrackers,
  storeIssues,
} from "#support/http/api-requests.ts";
import { createTestServices } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";

const { whole, other, erased } = DIGESTS;

/** What the entry of each operation names, in the order in which the operations run. */
const NAMED: Readonly<Record<string, string>> = {
  "issues.decide": whole,
  "issues.decideMany": "2 issues",
  "issues.assign": whole,
  "issues.assignMany": "the issues of a search",
  "issues.comment": whole,
  "issues.handOff": whole,
  "issues.reportFix": whole,
  "issues.deleteComment": whole,
  "issues.merge": `${other} into ${whole}`,
  "issues.split": `${other} off ${whole}`,
  "issues.mergeMany": `${other} into ${whole}`,
  "issues.linkTracker": whole,
  "issues.unlinkTracker": whole,
  "issues.createTrackerIssue": whole,
  "views.save": "the view mine",
  "views.delete": "the view mine",
  "views.createFeed": "the view fed",
  "views.revokeFeed": "the view fed",
  "repositories.save": "https://github.com/acme/shop",
  "owners.save": "the rules of owners",
  "repositories.remove": "https://github.com/acme/shop",
  "trackers.save": "github acme/shop",
  "trackers.check": "github acme/shop",
  "trackers.rotateSecret": "github acme/shop",
  "trackers.sendAgain": "github acme/shop",
  "trackers.remove": "github acme/shop",
  "alerts.saveDestination": "On call",
  "alerts.saveRule": "New issues",
  "alerts.deleteRule": "New issues",
  "alerts.enableDestination": "On call",
  "alerts.setSummary": "On call",
  "alerts.rotateSecret": "On call",
  "alerts.test": "sent a test alert to the alert destination On call",
  "alerts.sendAgain": "the alert none",
  "alerts.sendWaiting": "On call",
  "alerts.deleteDestination": "On call",
  "alerts.restoreDestination": "On call",
  "alerts.setRepository": "acme/shop",
  "reports.erase": whole,
  "issues.erase": erased,
};

/** Entries that name nothing, and why. */
const NAMELESS: Readonly<Record<string, string>> = {
  "changes.undo": "the outcome has the issues",
  "releases.describe": "the name of a release is reported text, which an erasure may concern",
  "erasures.preview": "the log must not contain the text to erase",
  "erasures.start": "the log must not contain the erased text",
  "projects.eraseData": "it concerns all data of the project",
  "projects.rebuild": "it concerns the index of the project",
  "sourceMaps.delete": "see below",
};

const entries = new Map<string, string>();
let ids: StoredIds;

beforeAll(async () => {
  const start = stopTrackers();
  ids = await storeIssues();
  const services = createTestServices({ waitUntil: () => undefined });
  const registry = new Proxy(services.registry, {
    get: (target, name) => {
      if (name === "recordOutcome") return () => undefined;
      if (name !== "authorizeAction") return Reflect.get(target, name);
      return async (_: unknown, { action, details }: { action: string; details?: string }) => {
        entries.set(action, details ?? "");
        return 1;
      };
    },
  });
  const run = async (name: string, over: object = {}) => {
    await PREPARATIONS[name]?.();
    const operation = OPERATIONS.find((one) => one.name === name);
    const input = { ...INPUTS[name]?.(ids), ...over };
    return operation?.perform(input, {
      caller: { actor: { kind: "session", id: "s" }, name: "Ada", role: "owner" },
      project: "1",
      services: { ...services, registry } as unknown as OperationServices,
      origin: "https://errata.example",
    });
  };
  const changing = OPERATIONS.filter(({ effect }) => effect !== "read").map(({ name }) => name);
  const ordered = [...Object.keys(NAMED), ...Object.keys(NAMELESS)];
  for (const name of [...ordered, ...changing.filter((one) => !ordered.includes(one))]) {
    const removal = name === "alerts.restoreDestination" ? await deleteAgain(run) : ({} as object);
    await run(name, removal);
  }
  start();
}, 120_000);

afterAll(() => emptyStore());

/** Deletes the destination again, so that it can be restored. */
async function deleteAgain(run: (name: string) => Promise<unknown>): Promise<object> {
  await run("alerts.saveDestination");
  const deleted = (await run("alerts.deleteDestination")) as { value: { removal: string } };
  return { removal: deleted.value.removal };
}

describe("the audit log", () => {
  it("has an entry of each operation of these tables, and no other", () => {
    const known = [...Object.keys(NAMED), ...Object.keys(NAMELESS)];
    expect([...entries.keys()].sort()).toEqual(known.sort());
  });

  it.each(Object.entries(NAMED))("names what %s changed: %s", (name, thing) => {
    expect(entries.get(name)).toContain(thing);
  });

  it("names a deleted upload by the beginning of its id", () => {
    expect(entries.get("sourceMaps.delete")).toContain(ids.upload.slice(0, 12));
  });
});
