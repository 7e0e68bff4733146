import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AlertMessage } from "#src/core/alerts/alert-message.ts";
import { toDiscordBody } from "#src/core/alerts/destinations/discord.ts";
import { parseNtfyUrl, toNtfyBody } from "#src/core/alerts/destinations/ntfy.ts";
import { toPushPayload, toPushTopic } from "#src/core/alerts/destinations/push.ts";
import { toSlackBody } from "#src/core/alerts/destinations/slack.ts";
import { toTeamsBody } from "#src/core/alerts/destinations/teams.ts";
import { toTelegramBody } from "#src/core/alerts/destinations/telegram.ts";
import { toWebhookBody } from "#src/core/alerts/destinations/webhook.ts";
import { formatAtomFeed } from "#src/core/alerts/formats/atom-feed.ts";
import { breakLinks, toInertLine, toInertUrl } from "#src/core/alerts/formats/inert-text.ts";
import { toEmailBody } from "#src/core/alerts/formats/mail/email-body.ts";
import {
  ALERT_AT_MS,
  createAlertedIssue,
  createAlertMessage,
  createMessageWithText,
  createSummary,
} from "#support/alerts/messages.ts";
import {
  checkDiscord,
  checkEmail,
  checkMarkdownText,
  checkNtfy,
  checkSlack,
  checkTeams,
  checkTelegram,
  checkUnlinked,
} from "#support/alerts/service-rules.ts";

type Json = Readonly<Record<string, unknown>>;

const countBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as Json;

/** Each service: the body of a message, and what the service would refuse or misread in it. */
const SERVICES: readonly {
  readonly name: string;
  readonly toBody: (message: AlertMessage) => unknown;
  readonly check: (body: Json) => readonly string[];
}[] = [
  { name: "Slack", toBody: (message) => toSlackBody(message), check: checkSlack },
  {
    name: "Mattermost",
    toBody: (message) => toSlackBody(message, true),
    check: (body) => checkMarkdownText(String(body.text)),
  },
  { name: "Discord", toBody: toDiscordBody, check: checkDiscord },
  { name: "Teams", toBody: toTeamsBody, check: checkTeams },
  { name: "ntfy", toBody: (message) => toNtfyBody(message, "shop"), check: checkNtfy },
  { name: "Telegram", toBody: (message) => toTelegramBody(message, "-100"), check: checkTelegram },
  {
    name: "email",
    toBody: toEmailBody,
    check: (body) => checkEmail(body as unknown as Parameters<typeof checkEmail>[0]),
  },
  {
    name: "webhook",
    toBody: toWebhookBody,
    check: (body) => (countBytes(body) < 20_000 ? [] : ["20 KB or more"]),
  },
  {
    name: "push",
    toBody: toPushPayload,
    check: (body) => (countBytes(body) <= 3_993 ? [] : ["more than 3,993 bytes"]),
  },
];

const HOSTILE = [
  "<!channel> <!here> <@U123> <https://evil.example|click>",
  "@everyone @here <@&123> <#1> :smile:",
  "[click](https://evil.example) ![x](https://evil.example/x.png)",
  "``` ` `` ```js\n> # heading\n- list ~~a~~ **b** __c__ ||d||",
  '<script>alert(1)</script><img src=x onerror="alert(1)">',
  "</pre></code><a href='https://evil.example'>x</a>&lt;b&gt;",
  "https://evil.example www.evil.example evil.example mail@evil.example tel:+491234567890",
  "javascript:alert(1) 10.0.0.1 192.168.0.1:8080/x \\\\host\\share //evil.example",
  "a\r\nBcc: evil@evil.example\r\n\r\nbody",
  "\u202egnp.exe \u2066x\u2069 \0\u0007\u2028\u2029\ud800",
  "]]> <![CDATA[ <!-- --> &#60;script&#62; &amp;lt;",
  "/start #tag $cash @user_name t.me/evil",
  "*bold* _italic_ ~strike~ <mailto:a@b.co|x>",
];

const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...HOSTILE,
        "`",
        "<",
        ">",
        "&",
        "@",
        "\\",
        "\n",
        "](",
        "](<",
        "://",
        ".",
        "…",
      ),
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.webUrl(),
      fc.emailAddress(),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));

describe.each(SERVICES)("a message for $name", ({ toBody, check }) => {
  it.each([
    ["an issue", createAlertMessage()],
    ["a summary", createSummary(41)],
    ["a project", createAlertMessage({ kind: "project", title: "Ingestion stopped", issues: [] })],
    [
      "a test",
      createAlertMessage({ kind: "test", title: "Test message", issues: [], reasons: [] }),
    ],
    ["an issue without optional facts", withoutFacts()],
    ["texts of 10,000 characters", createMessageWithText("x".repeat(10_000))],
    ["texts of 10,000 wide characters", createMessageWithText("💥".repeat(5_000))],
    ["texts of 10,000 characters that are escaped", createMessageWithText("<".repeat(10_000))],
    ["texts of 10,000 backticks", createMessageWithText("`".repeat(10_000))],
    [
      "a summary of long texts",
      createSummary(41, { message: "<&é".repeat(3_000), place: "é".repeat(500) }),
    ],
    ["no text at all", createMessageWithText("")],
    ["times that no calendar has", createAlertMessage({ atMs: 1e300, quietUntilMs: Number.NaN })],
  ])("is accepted by the service: %s", (_, message) => {
    expect(check(asJson(toBody(message)))).toEqual([]);
  });

  it.each(HOSTILE)("makes reported text inert: %j", (text) => {
    expect(check(asJson(toBody(createMessageWithText(text))))).toEqual([]);
  });

  it("is accepted and inert for any text", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(check(asJson(toBody(createMessageWithText(text))))).toEqual([]);
        expect(check(asJson(toBody(createSummary(7, { message: text, type: text }))))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("names the issue, its message and the reason", () => {
    const text = JSON.stringify(toBody(createAlertMessage())).replaceAll("\u200b", "");
    expect(text).toContain("Cannot read properties of undefined (reading ");
    expect(text).toContain("7F3K-Q2M9");
    expect(text).toMatch(/New issue|New in production/);
  });
});

function withoutFacts(): AlertMessage {
  const { digest, kind, type, message, trust, count, firstSeenMs, lastSeenMs, links } =
    createAlertedIssue();
  const { issue, receipt } = links;
  const bare = { digest, kind, type, message, trust, count, firstSeenMs, lastSeenMs };
  const { quietUntilMs: _, ...others } = createAlertMessage();
  return { ...others, issues: [{ ...bare, links: { issue, receipt } }] };
}

describe.each(SERVICES.filter(({ name }) => name !== "push"))(
  "a message for $name",
  ({ toBody }) => {
    it("has the facts of an issue, why it was sent, and links that act only on their pages", () => {
      const text = JSON.stringify(toBody(createAlertMessage())).replaceAll("\u200b", "");
      const facts = ["cart.tsx:41", "1.4.0", "production", "New issues", "/d/7F3K-Q2M9"];
      expect(facts.filter((fact) => !text.includes(fact))).toEqual([]);
      expect(text).toMatch(/alerts\/act\?t=resolve/);
    });

    it("names the number of issues of a summary and its list", () => {
      const text = JSON.stringify(toBody(createSummary(41)));
      expect(text).toContain("41");
      expect(text).toContain("/issues?q=is%3Anew");
    });
  },
);

describe("a line of reported text", () => {
  it.each([
    ["two\r\n lines\tof it", "two lines of it"],
    ["a\u202eb\0c\u200b", "abc"],
    ["\ud800x", "\ufffdx"],
    ["می\u200cخواهم", "می\u200cخواهم"],
    ["👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"],
    ["pay\u200d.ts a\u200cb \u200d\u200dx", "pay.ts ab x"],
    ["  ", "(empty)"],
  ])("of %j is %j", (text, line) => {
    expect(toInertLine(text, 100, "(empty)")).toBe(line);
  });

  it("contains no link after its links are broken, whatever the text", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(checkUnlinked(breakLinks(toInertLine(text, 300)))).toEqual([]);
      }),
    );
  });

  it.each([
    ["src/cart/total.ts:41", true],
    ["(total.ts:41:7)", true],
    ["C:\\app\\total.cs", true],
    ["orders/views.py:52", true],
    ["shop@2.4.1-rc.1", true],
    ["v1.4.0", true],
    ["views.py", false],
    ["evil.example/total.ts", false],
    ["//evil/total.ts", false],
    ["ada@evil.py:1", false],
    ["10.0.0.1", false],
    ["evil.example:80", false],
    ["ada@2.example", false],
  ])("has names that people copy as they are, but no host: %s", (name, isCopied) => {
    expect(breakLinks(name) === name).toBe(isCopied);
  });

  it("reads the same after its links are broken", () => {
    expect(breakLinks("https://a.example/x: cart.tsx:41").replaceAll("\u200b", "")).toBe(
      "https://a.example/x: cart.tsx:41",
    );
  });
});

describe("a URL in a message", () => {
  it.each([
    ["https://errata.example/d/7F3K-Q2M9", "https://errata.example/d/7F3K-Q2M9"],
    [
      "https://github.com/a/b/issues/new?title=a)(b",
      "https://github.com/a/b/issues/new?title=a%29%28b",
    ],
    ["https://errata.example/?q=a|b>c", "https://errata.example/?q=a%7Cb%3Ec"],
    ["javascript:alert(1)", undefined],
    ["data:text/html,x", undefined],
    ["/relative", undefined],
    ["", undefined],
  ])("of %j is %j", (url, written) => {
    expect(toInertUrl(url)).toBe(written);
  });
});

describe("a message for a webhook", () => {
  it("has a dotted type, RFC 3339 times and the texts as they were reported", () => {
    const body = toWebhookBody(createMessageWithText("<b>&"));
    expect(body.type).toBe("issue.new_in_release");
    expect(body.timestamp).toBe(new Date(ALERT_AT_MS).toISOString());
    expect(body.data.issues[0]).toMatchObject({ type: "<b>&", message: "<b>&", count: 1_204 });
  });

  it.each([
    [createAlertMessage({ kind: "test", reasons: [] }), "alerts.test"],
    [createSummary(3), "alerts.summary"],
    [createAlertMessage(), "issue.new"],
  ])("is of the type of its trigger", (message, type) => {
    expect(toWebhookBody(message).type).toBe(type);
  });
});

describe("an email", () => {
  it("refers to one id per issue, so that mail programs show one thread", () => {
    const createHeaders = (over: Partial<AlertMessage>) =>
      toEmailBody(createAlertMessage(over)).headers;
    expect(createHeaders({ id: "m-9-issue" }).References).toBe(createHeaders({}).References);
    const issues = [createAlertedIssue({ digest: "AAAA-AAAA" })];
    expect(createHeaders({ issues }).References).not.toBe(createHeaders({}).References);
  });

  it("has no List-Unsubscribe with http, which the platform refuses", () => {
    const { headers } = toEmailBody(createAlertMessage({ settingsUrl: "http://localhost:8787/x" }));
    expect(headers).not.toHaveProperty("List-Unsubscribe");
  });
});

describe("a message for Telegram", () => {
  it("has no button to a host without a dot, for which Telegram refuses the message", () => {
    const local = createAlertMessage({
      issues: [],
      project: { id: "a", name: "A", url: "http://localhost/" },
    });
    const { reply_markup } = toTelegramBody({ ...local, settingsUrl: "http://localhost/x" }, "1");
    expect(reply_markup).toBeUndefined();
  });
});

describe("the URL of an ntfy topic", () => {
  it.each([
    ["https://ntfy.sh/shop", { topic: "shop", server: "https://ntfy.sh/" }],
    ["https://push.example/ntfy/shop/", { topic: "shop", server: "https://push.example/ntfy/" }],
  ])("of %s names the topic and the server", (url, parsed) => {
    expect(parseNtfyUrl(url)).toEqual(parsed);
  });
});

describe("a push message", () => {
  it("leads to a path of Errata and replaces an earlier one about its issue", () => {
    const payload = toPushPayload(createAlertMessage());
    expect(payload).toMatchObject({ path: "/d/7F3K-Q2M9", tag: "7F3K-Q2M9" });
    expect(toPushTopic(createSummary(3))).toMatch(/^[\w-]{1,32}$/);
  });
});

describe("an Atom feed", () => {
  const createFeed = (text: string) =>
    formatAtomFeed({
      title: text,
      project: { id: "shop", name: text, url: "https://errata.example/" },
      url: "https://errata.example/issues?q=is%3Aopen&sort=last",
      selfUrl: "https://errata.example/feeds/abc",
      issues: [createAlertedIssue({ message: text, type: text, place: text })],
      nowMs: ALERT_AT_MS,
    });

  it("has an entry per issue with an id that does not change", () => {
    const xml = createFeed("plain");
    expect(xml).toContain("<id>tag:errata.example,2026:shop/7F3K-Q2M9</id>");
    expect(xml).toContain("<updated>2026-11-21T14:01:00.000Z</updated>");
  });

  it("has only its own elements and characters that XML allows, for any text", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const xml = createFeed(text);
        const tags = [...xml.matchAll(/<[^>]*>?/g)].map(([tag]) => tag);
        const known =
          /^<(?:\?xml [^<>]*\?|\/?(?:feed|id|title|updated|published|author|name|link|entry|summary)(?: (?:xmlns|type|rel|href)="[^"<>]*")*\/?)>$/;
        expect(tags.filter((tag) => !known.test(tag))).toEqual([]);
        expect(xml.replace(/&#\d+;/g, "")).not.toMatch(/&|(?!\n)[\p{Cc}\p{Cs}\ufffe\uffff]/u);
      }),
    );
  });
});
