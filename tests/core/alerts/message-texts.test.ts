// The lines of typical errors in every format, as people read them.
import { describe, expect, it } from "vitest";
import type { AlertMessage } from "#src/core/alerts/alert-message.ts";
import { toDiscordBody } from "#src/core/alerts/destinations/discord.ts";
import { toNtfyBody } from "#src/core/alerts/destinations/ntfy.ts";
import { toPushPayload } from "#src/core/alerts/destinations/push.ts";
import { toSlackBody } from "#src/core/alerts/destinations/slack.ts";
import { toTeamsBody } from "#src/core/alerts/destinations/teams.ts";
import { toTelegramBody } from "#src/core/alerts/destinations/telegram.ts";
import { toEmailBody } from "#src/core/alerts/formats/mail/email-body.ts";
import { renderMessage } from "#src/core/alerts/render-message.ts";
import {
  ALERT_AT_MS,
  ALERT_ORIGIN,
  createAlertMessage,
  createSummary,
} from "#support/alerts/messages.ts";
import { createTypicalMessage, MESSAGES, REPORTS } from "#support/alerts/typical-errors.ts";

const FOOTER = "New issue · rule “Production” · 8RP8-W7FE";
const BUTTONS = ["Open", "Snooze", "Resolve", "Assign me", "Alert settings"];

/** The lines of each error: where and to whom, the error, its details, its figures, the footer. */
const LINES: Readonly<Record<keyof typeof MESSAGES, readonly string[]>> = {
  node: [
    "🔴 New in production · Shop",
    "TypeError: Cannot read properties of undefined (reading 'price')",
    "return sum + item.price * item.quantity;",
    "src/cart/total.ts:41 in addItem · POST /api/checkout",
    "12 times, 9 people in 2 min · first in shop@2.4.1 (deployed 14 min ago)",
    FOOTER,
  ],
  minified: [
    "🔴 New in production · Shop",
    "TypeError: undefined is not an object (evaluating 'e.items.length')",
    "index-3f9a1b2c.js:1:48213 in t · /cart · Safari 17, iOS · no source map for shop@2.4.1",
    "1 time, 1 person · first in shop@2.4.1",
    FOOTER,
  ],
  java: [
    "🔴 New in production · Shop",
    "OrderServiceException: could not load order 8812",
    "caused by SQLTransientConnectionException: Connection is not available, request timed out after 30000ms",
    "com/acme/orders/OrderService.java:120 in load",
    "1 time · first in shop@2.4.1",
    FOOTER,
  ],
  log: [
    "🔴 fatal · New in production · Shop",
    "Payment provider unreachable: timeout of 10000ms exceeded",
    "logger payments",
    "1 time · first in shop@2.4.1",
    FOOTER,
  ],
  ruby: [
    "🔴 New in production · Shop",
    "ActiveRecord::Deadlocked: PG::TRDeadlockDetected: ERROR: deadlock detected DETAIL: none",
    "app/models/order.rb:64 in reserve! · OrdersController#create",
    "1 time · first in shop@2.4.1",
    FOOTER,
  ],
  python: [
    "🟠 Escalating in production · Shop · 13 × its usual rate",
    "KeyError: 'customer_id'",
    "orders/views.py:52 in detail · /orders/<id>",
    "40 in the last hour, usually 3; about 31 people · first in shop@2.3.0",
    "Escalating · rule “Production” · 8RP8-W7FE",
  ],
};

const NAMES = Object.keys(LINES) as (keyof typeof LINES)[];

const decodeEntities = (text: string) =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
const plain = (text: string) => text.replaceAll("`", "").replaceAll("\u200b", "");

/** The lines that each service shows, without markup, and the labels of its links. */
const READERS: Readonly<
  Record<string, (message: AlertMessage) => { lines: readonly string[]; links: readonly string[] }>
> = {
  Slack: (message) => {
    const { blocks } = toSlackBody(message);
    const texts = blocks.flatMap((block) => {
      if (block.type === "actions") return [];
      if (block.type === "context") return block.elements.map(({ text }) => text);
      return block.text.text.split("\n");
    });
    const links = blocks.flatMap((block) =>
      block.type === "actions" ? block.elements.map(({ text }) => text.text) : [],
    );
    return { lines: texts.map((text) => plain(decodeEntities(text))), links };
  },
  Discord: (message) => {
    const [embed] = toDiscordBody(message).embeds;
    const all = (embed?.description ?? "").split("\n").filter((line) => line !== "```");
    const last = all.pop() ?? "";
    const lines = [embed?.author?.name, embed?.title, ...all, embed?.footer?.text];
    return {
      lines: lines.map((line) => plain(line ?? "")),
      links: [...last.matchAll(/\[([^\]]+)\]/g)].map(([, label = ""]) => label),
    };
  },
  Teams: (message) => {
    const content = toTeamsBody(message).attachments[0]?.content;
    const lines = (content?.body ?? []).map(({ inlines }) =>
      inlines.map(({ text }) => text).join(""),
    );
    return { lines: lines.map(plain), links: (content?.actions ?? []).map(({ title }) => title) };
  },
  Telegram: (message) => {
    const { text, reply_markup } = toTelegramBody(message, "1");
    const links = (reply_markup?.inline_keyboard ?? []).flat().map((button) => button.text);
    return { lines: text.split("\n"), links };
  },
  "the text of mail": (message) => {
    const all = toEmailBody(message).text.split("\n");
    const lines = all.map((line) => plain(line.trim())).filter((line) => line !== "");
    const link = /^([\w ]+): https:/;
    return {
      lines: lines.filter((line) => !link.test(line)),
      links: lines.flatMap((line) => link.exec(line)?.[1] ?? []).filter((one) => one !== "Rule"),
    };
  },
  "the HTML of mail": (message) => {
    const [, body = ""] = toEmailBody(message).html.split('cellspacing="0" style="width:100%');
    const text = (html: string) =>
      html
        .replace(/<[^>]*>/g, "")
        .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    const parts = [...body.matchAll(/<(p|h1|div|td) class="[^"]*"[^>]*>(.*?)<\/\1>/g)];
    const links = [...body.matchAll(/<a class="(?:button|muted)[^>]*>(.*?)<\/a>/g)];
    return {
      lines: parts.map(([, , html = ""]) => text(html).replace(/ · Rule · Alert settings$/, "")),
      links: links.map(([, html = ""]) => text(html)).filter((one) => one !== "Rule"),
    };
  },
};

describe.each(Object.keys(READERS))("%s", (service) => {
  it.each(NAMES)(
    "says of the error %s what happened, where, why, how often and since when",
    (name) => {
      expect(READERS[service]?.(MESSAGES[name])).toEqual({ lines: LINES[name], links: BUTTONS });
    },
  );
});

describe("a message on a phone", () => {
  it.each([
    [
      "node",
      "TypeError in total.ts:41",
      [
        "New in production · Shop",
        "Cannot read properties of undefined (reading 'price')",
        "return sum + item.price * item.quantity;",
        ...LINES.node.slice(3),
      ],
      3,
    ],
    [
      "log",
      "Payment provider unreachable: timeout of 10000ms exceeded",
      ["fatal · New in production · Shop", ...LINES.log.slice(2)],
      3,
    ],
    [
      "python",
      "KeyError in views.py:52",
      [
        "Escalating in production · Shop · 13 × its usual rate",
        "'customer_id'",
        ...LINES.python.slice(2),
      ],
      5,
    ],
  ] as const)("by ntfy begins with the place of the error: %s", (name, title, lines, priority) => {
    const body = toNtfyBody(MESSAGES[name], "shop");
    const text = body.message.replaceAll("\u200b", "").split("\n");
    expect({ title: body.title, text, priority: body.priority }).toEqual({
      title,
      text: lines,
      priority,
    });
    expect(body.actions.map(({ label }) => label)).toEqual(["Snooze", "Resolve", "Assign me"]);
  });

  it.each([
    [
      "java",
      "OrderServiceException in OrderService.java:120",
      ["New in production · Shop", "could not load order 8812", ...LINES.java.slice(3, -1)],
    ],
    [
      "minified",
      "TypeError in index-3f9a1b2c.js:1:48213",
      [
        "New in production · Shop",
        "undefined is not an object (evaluating 'e.items.length')",
        ...LINES.minified.slice(2, -1),
      ],
    ],
  ] as const)("by push begins with the place of the error: %s", (name, title, lines) => {
    const payload = toPushPayload(MESSAGES[name]);
    expect({ title: payload.title, text: payload.body.split("\n") }).toEqual({
      title,
      text: lines,
    });
  });

  it("from Slack shows type, place and message without marks", () => {
    expect(toSlackBody(MESSAGES.node).text).toBe(
      "TypeError in total.ts:41: Cannot read properties of undefined (reading 'price')",
    );
  });
});

describe("names that people copy", () => {
  it.each(NAMES)("have no invisible characters in the mail, Teams and ntfy: %s", (name) => {
    const { text, html, subject } = toEmailBody(MESSAGES[name]);
    const texts = [
      ...[text, html, subject, JSON.stringify(toTeamsBody(MESSAGES[name]))],
      toNtfyBody(MESSAGES[name], "shop").message,
    ];
    const names = ["total.ts:41", "shop@2.4.1", "shop@2.3.0", "OrderService.java:120"];
    const wanted = names.filter((one) => LINES[name].some((line) => line.includes(one)));
    for (const one of texts.slice(0, 2))
      for (const wantedName of wanted) expect(one).toContain(wantedName);
    for (const one of texts) expect(one).not.toMatch(/shop@\u200b|(?:ts|java|py|rb)\u200b/);
  });
});

describe("a returned issue", () => {
  it("names who resolved it, when, where, and the release that brought it back", () => {
    const message = createTypicalMessage({
      report: REPORTS.node,
      issue: {
        resolvedBy: "Ada",
        count: 2,
        firstRelease: "2.1.0",
        release: "2.4.0",
        decision: {
          ...({ v: 2, state: "open" } as const),
          atMs: MESSAGES.node.atMs - 2 * 86_400_000,
          regressedAtMs: MESSAGES.node.atMs,
          resolvedInRelease: "2.3.0",
        },
      },
      triggers: [{ kind: "regressed", detail: "2.4.0", rules: ["r1"] }],
    });
    const lines = READERS.Slack?.(message).lines;
    expect(lines?.[0]).toBe("🔴 Regressed in production · Shop");
    expect(lines).toContain("Resolved by Ada in 2.3.0, 2 days ago; back in 2.4.0");
    expect(lines).toContain("2 times · first in 2.1.0, now in 2.4.0");
    expect(toNtfyBody(message, "shop").priority).toBe(5);
  });
});

describe("feedback", () => {
  it("is quoted with its author", () => {
    const feedback = { text: "I <b>cannot</b> pay", author: "Grace" };
    const message = createAlertMessage({
      title: "User feedback",
      reasons: [{ trigger: "user-feedback", text: "A user sent feedback.", rules: [] }],
      issues: MESSAGES.node.issues.map((issue) => ({ ...issue, feedback })),
    });
    for (const name of ["Slack", "Teams", "the HTML of mail"])
      expect(READERS[name]?.(message).lines).toContain("“I <b>cannot</b> pay” · Grace");
  });
});

describe("a message about one issue", () => {
  it("has one subject for all moments, with the project at the end", () => {
    const again = createTypicalMessage({
      report: REPORTS.node,
      triggers: [{ kind: "escalating", value: 40, usual: 3, rules: ["r1"] }],
    });
    const [first, second] = [MESSAGES.node, again].map((message) => toEmailBody(message).subject);
    expect(first).toBe("TypeError: Cannot read properties of undefined (reading 'price') (Shop)");
    expect(second).toBe(first);
  });

  it("says until when it is quiet only if it is", () => {
    expect(READERS.Slack?.(MESSAGES.node).lines.at(-1)).not.toContain("quiet");
    const quiet = { ...MESSAGES.node, quietUntilMs: Date.UTC(2026, 10, 21, 16, 12) };
    expect(READERS.Slack?.(quiet).lines.at(-1)).toBe(`${FOOTER} · quiet until 16:12 UTC`);
  });

  it("has at most six actions in Teams, also with a GitHub repository", () => {
    const { attachments } = toTeamsBody(createAlertMessage());
    expect(attachments[0]?.content.actions).toHaveLength(6);
  });
});

describe("a summary", () => {
  it("marks what happened to each issue and links to the list", () => {
    const summary = createSummary(3);
    const message = {
      ...summary,
      title: "2 new, 1 returned since 14:02 UTC",
      issues: summary.issues.slice(0, 2).map((issue, n) => ({
        ...issue,
        triggers: [n === 0 ? ("regressed" as const) : ("new-issue" as const)],
      })),
    };
    const lines = READERS.Slack?.(message).lines ?? [];
    expect(lines.slice(0, 2)).toEqual(["🔴 Shop", "2 new, 1 returned since 14:02 UTC"]);
    expect(lines[2]).toContain("*Regressed* · ");
    expect(toNtfyBody(message, "shop").priority).toBe(5);
  });
});

describe("a message about a flood", () => {
  it("states its facts and links to its issues", () => {
    const rendered = (usual: number) =>
      renderMessage(
        {
          ...{ id: "m1", more: 0 },
          alerts: [
            {
              ...{ atMs: ALERT_AT_MS, trust: "public" },
              triggers: [
                {
                  ...{ kind: "flood", value: 3_412, limit: 41, usual, withinMs: 1_200_000 },
                  rules: [],
                },
              ],
            },
          ],
        },
        {
          project: { id: "2", name: "Shop" },
          origin: ALERT_ORIGIN,
          ruleNames: new Map(),
          issues: new Map(),
        },
      );
    const { lines, links } = READERS.Slack?.(rendered(2)) ?? {};
    expect(lines?.join("\n")).toContain(
      "Flood from browsers: 3,412 reports, 41 issues, 2 networks in 20 minutes.",
    );
    expect(links).toEqual(["Review", "Alert settings"]);
    expect(JSON.stringify(toSlackBody(rendered(2)))).toContain(
      `${ALERT_ORIGIN}/p/2/issues?q=is%3Afolded&sort=count`,
    );
    expect(rendered(16).title).toContain("41 issues, 16+ networks");
  });
});
