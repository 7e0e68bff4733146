import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSettingsForm } from "#src/http/desk/account/settings-form.ts";

const HOUR_MS = 3_600_000;
const ORIGIN = "https://errata.example";
const parseForm = (fields: object) =>
  parseSettingsForm(new Map(Object.entries(fields)), "7", ORIGIN);

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
      { name: "ci", role: "member", lifetimeMs: 720 * HOUR_MS },
    ],
    [
      { do: "add-token", name: "ci", role: "uploader" },
      { name: "ci", role: "uploader", origin: ORIGIN },
    ],
  ])("is parsed into a change: %j", (fields, change) => {
    const result = parseForm(fields);
    expect(result).toEqual({
      ok: true,
      value: { do: Reflect.get(fields, "do"), project: "7", ...change },
    });
  });

  it.each([
    {},
    { do: "toString" },
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
  ])("is refused if it is invalid: %j", (fields) => {
    expect(parseForm(fields)).toMatchObject({ ok: false, reason: "mismatch" });
  });

  it("never throws, and always applies to the project of the URL", () => {
    const actions = [
      "add-key",
      "change-key",
      "rotate-key",
      "set-role",
      "add-token",
      "delete-project",
    ];
    const names = [
      "name",
      "origins",
      "perMinute",
      "key",
      "overlapHours",
      "person",
      "role",
      "expiresInDays",
      "confirm",
      "project",
    ];
    const any = fc.dictionary(fc.constantFrom(...names), fc.anything());
    fc.assert(
      fc.property(fc.constantFrom(...actions), any, (action, fields) => {
        const result = parseForm({ ...fields, do: action });
        expect(result.ok ? result.value.project : result.reason).toBe(result.ok ? "7" : "mismatch");
      }),
    );
  });
});
