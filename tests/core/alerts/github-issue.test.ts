import { describe, expect, it } from "vitest";
import { toDiscordBody } from "#src/core/alerts/destinations/discord.ts";
import {
  createGitHubIssueUrl,
  parseGitHubRepository,
} from "#src/core/alerts/formats/github-issue.ts";
import { toInertUrl } from "#src/core/alerts/formats/inert-text.ts";
import { createAlertedIssue, createAlertMessage } from "#support/alerts/messages.ts";

const ISSUE_URL = "https://errata.example/d/7F3K-Q2M9";
const create = (over: Parameters<typeof createAlertedIssue>[0] = {}) =>
  createGitHubIssueUrl("acme/shop", createAlertedIssue(over), ISSUE_URL);

describe("a GitHub repository", () => {
  it.each([
    ["acme/shop", "acme/shop"],
    ["https://github.com/acme/shop", "acme/shop"],
    ["https://github.com/acme/shop/", "acme/shop"],
    ["https://github.com/acme/my.shop.git", "acme/my.shop"],
  ])("is %s", (text, repository) => {
    expect(parseGitHubRepository(text)).toEqual({ ok: true, value: repository });
  });

  it.each([
    "",
    "shop",
    "acme/",
    "acme/..",
    "acme/.",
    "-acme/shop",
    "acme/shop/issues",
    "acme/shop?x=1",
    "acme/shop\n",
    "http://github.com/acme/shop",
    "https://github.com.evil.example/acme/shop",
    "https://evil.example/acme/shop",
    "https://u@github.com/acme/shop",
    "javascript:alert(1)",
  ])("is not %j", (text) => {
    expect(parseGitHubRepository(text)).toMatchObject({ ok: false, reason: "invalid" });
  });
});

describe("the link to a prefilled GitHub issue", () => {
  it("has the digest, the text, the place, the release, the count and the issue", () => {
    const url = new URL(create());
    expect(url.origin + url.pathname).toBe("https://github.com/acme/shop/issues/new");
    expect(url.searchParams.get("title")).toMatch(/^7F3K-Q2M9 TypeError: Cannot read/);
    expect(url.searchParams.get("body")).toBe(
      [
        "```",
        "TypeError: Cannot read properties of undefined (reading 'price')",
        "Where: cart.tsx:41 in addItem",
        "Release: 1.4.0",
        "Seen: 1204 times",
        "```",
        "",
        `Errata: ${ISSUE_URL}`,
      ].join("\n"),
    );
  });

  it("has reported text in a code block only, which the text cannot close", () => {
    const url = new URL(create({ message: "a\n````\n@everyone #1", release: "`````", type: "" }));
    const body = url.searchParams.get("body") ?? "";
    expect(body.startsWith("``````\na ```` @everyone #1\n")).toBe(true);
    expect(body.indexOf("\n``````\n")).toBeGreaterThan(body.indexOf("Seen:"));
    expect(url.searchParams.get("title")).not.toMatch(/@e|#1|`/);
  });

  it.each(["x", "é", "漢", "💥", "@", "\ud800", "`"])(
    "is at most 2,000 characters long, also in messages, with texts of %j",
    (char) => {
      const text = char.repeat(300);
      const url = create({ message: text, place: text, release: text, type: text });
      expect(url.length).toBeLessThanOrEqual(2_000);
      expect(toInertUrl(url)).toBe(url);
      const issue = createAlertedIssue({
        message: text,
        links: { issue: ISSUE_URL, receipt: "", github: url },
      });
      const { embeds } = toDiscordBody(createAlertMessage({ issues: [issue] }));
      expect(embeds[0]?.description).toContain("[GitHub issue](<https://github.com/acme/shop/");
    },
  );
});
