import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseChangeForm, REGISTRY_CHANGES } from "#src/core/accounts/registry-changes.ts";

const HOUR_MS = 3_600_000;
const ORIGIN = "https://errata.example";
const FACTS = { project: "7", origin: ORIGIN, undoId: "a".repeat(32) };
const parseForm = (fields: object) => parseChangeForm("owner", { ...fields }, FACTS);

describe("the settings form", () => {
  it.each<[object, object]>([
    [{ do: "rename-project", name: " Shop " }, { name: "Shop" }],
    [{ do: "archive-project" }, {}],
    [{ do: "delete-project", confirm: "Shop" }, { confirmation: "Shop" }],
    [
      {
        do: "add-key",
        name: "web",
        origins: "https://a.example, https://*.b.example\n",
        perMinute: "600",
      },
      {
        kind: "public",
        name: "web",
        origins: ["https://a.example", "https://*.b.example"],
        perMinute: 600,
      },
    ],
    [
      { do: "add-key", kind: "server", name: "api" },
      { kind: "server", name: "api", origins: [], perMinute: undefined },
    ],
    [
      { do: "change-key", key: "k", name: "web", origins: ["https://a.example/"] },
      { key: "k", name: "web", origins: ["https://a.example"], perMinute: undefined },
    ],
    [
      { do: "rotate-key", key: "k" },
      { key: "k", overlapMs: 24 * HOUR_MS },
    ],
    [
      { do: "rotate-key", key: "k", overlapHours: "0" },
      { key: "k", overlapMs: 0 },
    ],
    [{ do: "set-noise-rules" }, { disabledRules: ["extension", "injected", "translated"] }],
    [{ do: "set-noise-rules", extension: "on", translated: true }, { disabledRules: ["injected"] }],
    [{ do: "invite", role: "viewer" }, { role: "viewer" }],
    [
      { do: "set-role", person: "p", role: "owner" },
      { person: "p", role: "owner" },
    ],
    [
      { do: "add-token", name: "ci", role: "member", expiresInDays: "30" },
      {
        ...{ name: "ci", role: "member", lifetimeMs: 720 * HOUR_MS },
        ...{ isForAllProjects: false, lowestTrust: "server" },
      },
    ],
    [
      { do: "add-token", name: "ci", role: "viewer", projects: "all", lowestTrust: "public" },
      { name: "ci", role: "viewer", isForAllProjects: true, lowestTrust: "public" },
    ],
    [{ do: "set-keyless", keyless: "accept", origins: "x" }, { origins: null }],
    [{ do: "set-keyless", keyless: "require" }, { origins: [] }],
    [
      { do: "set-keyless", keyless: "origins", origins: "https://a.example" },
      { origins: ["https://a.example"] },
    ],
    [{ do: "restore", undo: "0".repeat(32) }, { undoId: "0".repeat(32) }],
  ])("is parsed into a change: %j", (fields, change) => {
    const result = parseForm(fields);
    expect(result).toEqual({
      ok: true,
      value: { ...FACTS, do: Reflect.get(fields, "do"), ...change },
    });
  });

  it.each([
    {},
    { do: "toString" },
    { do: "rename-person", name: "Ada" },
    { do: "create-project", name: "Shop" },
    { do: "split-by-stack", digest: "7F3K-Q2M9" },
    { do: "revoke-token", token: "t", undoId: "0".repeat(32) },
    { do: "add-token", name: "ci", role: "uploader", origin: "https://evil.example" },
    { do: "set-keyless", keyless: "origins" },
    { do: "set-noise-rules", extension: "yes" },
    { do: "rename-project" },
    { do: "rename-project", name: "a\nb" },
    { do: "rename-project", name: "a".repeat(61) },
    { do: "archive-project", name: "x" },
    { do: "add-key", name: "web", origins: "shop.example" },
    { do: "add-key", kind: "secret", name: "web" },
    { do: "add-key", kind: "server", name: "web", origins: "https://a.example" },
    { do: "add-key", name: "web", origins: "https://a.example/path" },
    { do: "add-key", name: "web", origins: [1] },
    {
      do: "add-key",
      name: "web",
      origins: Array.from({ length: 21 }, (_, n) => `https://${n}.example`).join(" "),
    },
    { do: "add-key", name: "web", perMinute: "61" },
    { do: "rotate-key", key: "k", overlapHours: "-1" },
    { do: "rotate-key", key: "k", overlapHours: 1.5 },
    { do: "rotate-key", overlapHours: 1 },
    { do: "revoke-key", key: {} },
    { do: "invite", role: "admin" },
    { do: "add-token", name: "ci", role: "viewer", expiresInDays: "0" },
    { do: "add-token", name: "ci", role: "viewer", projects: "2" },
    { do: "add-token", name: "ci", role: "viewer", lowestTrust: "none" },
  ])("is refused if it is invalid: %j", (fields) => {
    expect(parseForm(fields)).toMatchObject({ ok: false, reason: "mismatch" });
  });

  it.each<[object, string]>([
    [
      { do: "gone" },
      "do to be one of rename-project, archive-project, reopen-project, set-keyless, set-noise-rules, delete-project, add-key, change-key, rotate-key, revoke-key, pause-key, resume-key, invite, withdraw-invitation, set-role, remove-member, add-token, revoke-token, restore",
    ],
    [{ do: "archive-project", name: "x" }, "no fields except do"],
    [{ do: "set-role", role: "owner", more: 1 }, "no fields except do, person, role"],
    [{ do: "rename-project" }, "a name of at most 60 characters, without control characters"],
    [
      { do: "rotate-key", key: "k", overlapHours: "x" },
      "overlapHours, a whole number from 0 to 2160",
    ],
    [{ do: "rotate-key" }, "the field key"],
    [{ do: "add-key", name: "web", perMinute: 61 }, "perMinute, one of 60, 600, 6000, or none"],
    [{ do: "invite" }, "a role: viewer, member, owner"],
  ])("says what it expected instead of %j: %s", (fields, expected) => {
    expect(parseForm(fields)).toEqual({ ok: false, reason: "mismatch", expected });
  });

  it("never throws, quotes nothing that was sent, and applies to the project of the URL", () => {
    const actions = Object.values(REGISTRY_CHANGES).map(({ name }) => name);
    const names = Object.values(REGISTRY_CHANGES).flatMap(({ input }) =>
      Object.keys(input?.entries ?? {}),
    );
    const sent = fc.oneof(
      fc.anything(),
      fc.string().map((text) => `sent-${text}`),
    );
    const any = fc.dictionary(fc.constantFrom(...names, "project"), sent);
    fc.assert(
      fc.property(fc.constantFrom(...actions), any, (action, fields) => {
        const result = parseForm({ ...fields, do: action });
        if (result.ok) {
          expect(result.value).toMatchObject({ do: action, project: "7" });
          return;
        }
        expect(result.reason).toBe("mismatch");
        expect(result.expected).not.toMatch(/sent-|received/i);
      }),
    );
  });
});

describe("the form of a profile", () => {
  const parseProfile = (fields: object) =>
    parseChangeForm("person", { ...fields }, { except: "own" });

  it.each<[object, object]>([
    [{ do: "rename-person", name: " Ada " }, { name: "Ada" }],
    [{ do: "remove-passkey", passkey: "p" }, { passkey: "p" }],
    [{ do: "new-recovery-codes" }, {}],
    [{ do: "end-session", session: "s" }, { session: "s" }],
    [{ do: "end-sessions" }, {}],
  ])("is parsed into a change: %j", (fields, change) => {
    const value = { except: "own", do: Reflect.get(fields, "do"), ...change };
    expect(parseProfile(fields)).toEqual({ ok: true, value });
  });

  it.each<[object, string]>([
    [{ do: "rename-person", name: "a\u200bb" }, "a name"],
    [{ do: "rename-person" }, "a name"],
    [{ do: "remove-passkey", passkey: 1 }, "a passkey"],
    [{ do: "end-session" }, "a session"],
    [{ do: "end-sessions", except: "own" }, "no fields except do"],
    [
      { do: "add-passkey" },
      "do to be one of rename-person, remove-passkey, new-recovery-codes, end-session, end-sessions, disconnect-program",
    ],
  ])("is refused if it is %j: expected %s", (fields, expected) => {
    expect(parseProfile(fields)).toEqual({ ok: false, reason: "mismatch", expected });
  });
});
