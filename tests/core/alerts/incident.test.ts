import { describe, expect, it } from "vitest";
import { checkDestination, createCall } from "#src/core/alerts/destinations/destinations.ts";
import { toGoogleChatBody } from "#src/core/alerts/destinations/google-chat.ts";
import { toOpsgenieRequest } from "#src/core/alerts/destinations/opsgenie.ts";
import { toPagerDutyEvent } from "#src/core/alerts/destinations/pagerduty.ts";
import { toRocketChatBody } from "#src/core/alerts/destinations/rocket-chat.ts";
import { createAlertMessage, createMessageWithText } from "#support/alerts/messages.ts";
import { checkMarkdownText } from "#support/alerts/service-rules.ts";
import { createTypicalMessage, MESSAGES, REPORTS } from "#support/alerts/typical-errors.ts";

const KEY = "a".repeat(32);
const resolved = createTypicalMessage({
  report: REPORTS.node,
  triggers: [{ kind: "resolved", rules: [] }],
});

describe("an incident of PagerDuty", () => {
  it("has the place in its summary, all lines in its details, and the buttons as links", () => {
    const event = toPagerDutyEvent(MESSAGES.node, KEY);
    expect(event).toMatchObject({
      routing_key: KEY,
      event_action: "trigger",
      dedup_key: "errata-1-8RP8-W7FE",
      payload: {
        summary:
          "TypeError in total.ts:41: Cannot read properties of undefined (reading 'price') (Shop)",
        severity: "error",
      },
    });
    expect(event.payload?.custom_details.message).toContain("12 times, 9 people in 2 min");
    expect(event.links?.map(({ text }) => text)).toContain("Resolve");
  });

  it("is not closed by a summary that has a resolution", () => {
    const summary = { ...resolved, kind: "summary" as const };
    expect(toPagerDutyEvent(summary, KEY).event_action).toBe("trigger");
  });

  it("is resolved by its key, whatever has happened to the issue since", () => {
    expect(toPagerDutyEvent(resolved, KEY)).toEqual({
      routing_key: KEY,
      event_action: "resolve",
      dedup_key: toPagerDutyEvent(MESSAGES.node, KEY).dedup_key,
    });
  });

  it.each([
    ["python", "critical"],
    ["log", "critical"],
    ["ruby", "error"],
  ] as const)("is as urgent as the alert: %s", (name, severity) => {
    expect(toPagerDutyEvent(MESSAGES[name], KEY).payload?.severity).toBe(severity);
  });

  it("stays within the limits for long texts", () => {
    const event = toPagerDutyEvent(createMessageWithText("x".repeat(10_000)), KEY);
    expect(event.payload?.summary.length).toBeLessThanOrEqual(1_024);
    expect(JSON.stringify(event).length).toBeLessThan(512_000);
  });
});

describe("an alert of Opsgenie", () => {
  it("is created and closed under one alias", () => {
    const created = toOpsgenieRequest(MESSAGES.node);
    expect(created).toMatchObject({
      path: "",
      body: { alias: "errata-1-8RP8-W7FE", priority: "P2", source: "Errata" },
    });
    expect(toOpsgenieRequest(resolved).path).toBe("/errata-1-8RP8-W7FE/close?identifierType=alias");
  });

  it("has no markup of reported text, and a message of at most 130 characters", () => {
    const { body } = toOpsgenieRequest(createMessageWithText(`<img src=x>${"x".repeat(500)}`));
    expect(JSON.stringify(body)).not.toContain("<img src=x> ");
    expect("message" in body && body.message.length).toBeLessThanOrEqual(130);
    expect("description" in body && body.description).not.toContain("<");
  });

  it.each([
    [undefined, "https://api.opsgenie.com/v2/alerts"],
    ["https://api.eu.opsgenie.com", "https://api.eu.opsgenie.com/v2/alerts"],
    ["https://api.atlassian.com", "https://api.atlassian.com/jsm/ops/integration/v2/alerts"],
  ])("is sent to the address of its region: %s", (url, expected) => {
    const settings = { kind: "opsgenie", token: "0".repeat(36), ...(url && { url }) } as const;
    expect(checkDestination(settings, []).ok).toBe(true);
    const request = createCall(settings, MESSAGES.node, 0);
    expect(request).toMatchObject({
      url: expected,
      headers: { authorization: `GenieKey ${settings.token}` },
    });
  });
});

describe("a key of a pager", () => {
  it.each([
    [{ kind: "pagerduty", token: KEY }, true],
    [{ kind: "pagerduty", token: "short" }, false],
    [{ kind: "pagerduty", token: KEY, url: "https://events.eu.pagerduty.com" }, true],
    [{ kind: "pagerduty", token: KEY, url: "https://evil.example" }, false],
    [{ kind: "opsgenie", token: "a b".repeat(20) }, false],
    [{ kind: "opsgenie", token: KEY, url: "http://api.opsgenie.com" }, false],
  ] as const)("is checked with its address: %j is %s", (settings, isAccepted) => {
    expect(checkDestination(settings, []).ok).toBe(isAccepted);
  });
});

describe.each([
  ["Google Chat", (text: string) => toGoogleChatBody(createMessageWithText(text)).text],
  ["Rocket.Chat", (text: string) => toRocketChatBody(createMessageWithText(text)).text],
])("a message for %s", (_, toText) => {
  it.each([
    "@all @here <users/all> <https://evil.example|x>",
    "[x](https://evil.example) ![x](https://evil.example/x.png) `code`",
    "x".repeat(10_000),
  ])("has reported text only in code: %j", (text) => {
    const written = toText(text).replace(/<(https:[^|>]*)\|([^>]*)>/g, "[$2]($1)");
    expect(checkMarkdownText(written)).toEqual([]);
    expect(written.length).toBeLessThanOrEqual(5_000);
  });
});

describe("a message for Google Chat", () => {
  it("has no mention and no link in code, where Google Chat reads them too", () => {
    const { text } = toGoogleChatBody(createMessageWithText("<users/all> <https://a.example|x>"));
    expect(text).not.toMatch(/<users\/|<https:\/\/a\.example/);
  });

  it("has the lines of the error and its links", () => {
    const { text } = toGoogleChatBody(createAlertMessage());
    expect(text).toContain("`TypeError: Cannot read properties of undefined (reading 'price')`");
    expect(text).toContain("|Resolve>");
  });
});
