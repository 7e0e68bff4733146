// The table of destinations: what derives from it holds for each kind.

import { describe, expect, it } from "vitest";
import {
  checkDestination,
  createCall,
  DESTINATION_FORMS,
  type Destination,
  type DestinationSettings,
  getDestinationKind,
  readSettings,
  summarizeDestination,
} from "#src/core/alerts/destinations/destinations.ts";
import { formatWebhookSecret } from "#src/core/alerts/destinations/webhook.ts";
import { renderHandOff } from "#src/core/alerts/render-message.ts";
import { MESSAGES } from "#support/alerts/typical-errors.ts";

const SECRET = formatWebhookSecret(new Uint8Array(32));
/** Agents get no other messages. */
const HAND_OFF = renderHandOff({
  ...{ id: "msg_1_1", atMs: 0, project: "1", origin: "https://errata.example" },
  facts: { digest: "7F3K-Q2M9", project: "1" },
});

/** What a form of each kind has, besides the fields that may be empty. */
const SENT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  slack: { url: "https://hooks.slack.com/services/T/B/x7Qa" },
  discord: { url: "https://discord.com/api/webhooks/1/x7Qa" },
  teams: { url: "https://a.logic.azure.com/workflows/x7Qa" },
  pagerduty: { token: "R0".repeat(16) },
  opsgenie: { token: "00000000-0000-0000-0000-000000000000" },
  "google-chat": { url: "https://chat.googleapis.com/v1/spaces/x7Qa" },
  "rocket-chat": { url: "https://chat.example.com/hooks/x7Qa" },
  webhook: { url: "https://example.com/hooks/x7Qa" },
  email: { to: "ada@example.com, grace@example.com; bob@example.com" },
  ntfy: { url: "https://ntfy.sh/my-topic" },
  agent: { url: "https://agent.example/hooks/x7Qa" },
  "claude-code": { repository: "acme/shop", token: "github_pat_0123456789" },
  copilot: { repository: "acme/shop", token: "github_pat_0123456789", branch: "main" },
  cursor: { repository: "acme/shop", token: "key_0123456789", dailyCap: "3" },
  telegram: { token: "123456:ABCDEFGHIJKLMNOPQRSTUVWXYZ", chatId: "-1001234567890" },
};

function read(kind: string): DestinationSettings {
  const settings = readSettings(kind, (name) => SENT[kind]?.[name] ?? "", SECRET);
  if (settings === undefined) throw new Error(`no form adds ${kind}`);
  return settings;
}

describe.each(DESTINATION_FORMS)("the form of $kind", ({ kind, fields, addLabel }) => {
  it("has a field for each text that it sends, and is accepted", () => {
    expect(fields.map(({ name }) => name)).toEqual(
      expect.arrayContaining(Object.keys(SENT[kind] ?? { unknown: "" })),
    );
    expect(checkDestination(read(kind), [])).toEqual({ ok: true, value: undefined });
    expect(addLabel).toMatch(/^Add \S/);
  });

  it("is refused with a sentence if a field that it needs is empty", () => {
    for (const { name, isOptional } of fields) {
      const getText = (one: string) => (one === name ? "" : (SENT[kind]?.[one] ?? ""));
      const settings = readSettings(kind, getText, SECRET);
      const checked = checkDestination(settings ?? read(kind), []);
      expect([name, checked.ok]).toEqual([name, isOptional === true]);
      if (!checked.ok) expect(checked.detail).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("makes a request, and a summary without its secrets", () => {
    const settings = read(kind);
    const message = getDestinationKind(settings.kind).isAgent ? HAND_OFF : MESSAGES.node;
    expect(createCall(settings, message, 0)).toMatchObject({ kind: expect.any(String) });
    const { target } = summarizeDestination({ id: "d1", name: "#shop", settings });
    for (const [name, value] of Object.entries(settings))
      if (name === "secret" || name === "token") expect(target).not.toContain(value);
  });
});

it("addresses of a form are separated by commas, semicolons and spaces", () => {
  expect(read("email")).toEqual({
    kind: "email",
    to: ["ada@example.com", "grace@example.com", "bob@example.com"],
  });
});

it("no form of a project adds a browser or an unknown kind", () => {
  for (const kind of ["push", "unknown", "toString", undefined, 1])
    expect(readSettings(kind, () => "x", SECRET)).toBeUndefined();
});

it("a destination that a newer version stored is shown, and gets no request", () => {
  const settings = { kind: "pigeon", coop: "3" } as unknown as DestinationSettings;
  const destination: Destination = { id: "d1", name: "Coop", settings };
  expect(summarizeDestination(destination)).toMatchObject({ id: "d1", name: "Coop" });
  expect(getDestinationKind(settings.kind).label).toBe("Unknown");
  expect(checkDestination(settings, []).ok).toBe(false);
});
