import { describe, expect, it } from "vitest";
import { createRegistryState, REGISTRY } from "#src/core/accounts/registry.ts";

const NOW_MS = Date.UTC(2026, 10, 22, 9);
const empty = createRegistryState("secret", NOW_MS);
const session = { id: "s", person: "p", createdMs: 1, expiresMs: 2, userAgent: "" };
const entry = {
  id: "t",
  hash: "00",
  project: "1",
  role: "uploader",
  name: "ci",
  createdMs: 1,
  by: "Ada",
} as const;

describe("the stored registry", () => {
  it("has the version that a new registry states", () => {
    expect(empty.v).toBe(REGISTRY.version);
  });

  it("keeps members that a later release wrote, at every depth", () => {
    const stored = {
      ...empty,
      later: 1,
      sessions: [{ ...session, later: { a: [1] } }],
      removed: [{ kind: "token", undoId: "u", removedMs: 1, entry: { ...entry, later: true } }],
    };
    expect(REGISTRY.check(stored)).toEqual({ kind: "ok", value: stored });
  });

  it.each<[string, object]>([
    ["no list of keys", { keys: undefined }],
    ["a session without its person", { sessions: [{ ...session, person: undefined }] }],
    ["an unknown role", { memberships: [{ project: "1", person: "p", role: "admin" }] }],
    ["an unknown rate", { keys: [{ ...entry, kind: "server", perMinute: 7 }] }],
    ["an unknown kind of key", { keys: [{ ...entry, kind: "private" }] }],
    ["a removed key without its entry", { removed: [{ kind: "key", undoId: "u", removedMs: 1 }] }],
  ])("refuses %s", (_, members) => {
    expect(REGISTRY.check({ ...empty, ...members }).kind).toBe("damaged");
  });
});
