import { describe, expect, it } from "vitest";
import { createFailureAnswer, isFailureStatus } from "#src/adapters/failure-answer.ts";
import { isPage } from "#src/adapters/page-headers.ts";

const named = {
  digest: "7F3K-Q2M9",
  id: "0123456789abcdef0123456789abcdef",
  receiptUrl: "https://errata.example/e/7F3K-Q2M9",
};
const reader = (headers: Readonly<Record<string, string>>) => (name: string) => headers[name];

describe("the status of a response after an error", () => {
  it.each([
    [200, true],
    [204, true],
    [301, false],
    [307, false],
    [400, false],
    [404, false],
    [499, false],
    [500, true],
    [503, true],
  ])("%d: is a failure: %s", (status, isFailure) => {
    expect(isFailureStatus(status)).toBe(isFailure);
  });
});

describe("the answer to a failure", () => {
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  it.each([
    ["a browser", { accept: browser }, true],
    ["a browser that follows a link", { "sec-fetch-mode": "navigate" }, true],
    ["a program that accepts everything", { accept: "*/*" }, false],
    ["a program that accepts JSON", { accept: "application/json" }, false],
    ["a program that names nothing", {}, false],
  ])("is for %s", (_, headers, isForVisitor) => {
    const answer = createFailureAnswer(named, 503, reader(headers));
    expect(answer.body).toContain(named.digest);
    expect(answer.body).toContain(named.receiptUrl);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(isPage(answer.headers["content-type"])).toBe(isForVisitor);
    if (!isForVisitor)
      expect(JSON.parse(answer.body)).toMatchObject({ status: 503, title: "Service Unavailable" });
  });

  it("has a policy that allows its own style and script alone", () => {
    const { headers, body } = createFailureAnswer(named, 500, reader({ accept: "text/html" }));
    const [, nonce = ""] =
      /^default-src 'none'; style-src 'nonce-(\w{32})'; script-src 'nonce-\1'$/.exec(
        headers["content-security-policy"] ?? "",
      ) ?? [];
    expect(body.match(/<(?:style|script)[^>]*>/g)).toEqual([
      `<style nonce="${nonce}">`,
      `<script nonce="${nonce}">`,
    ]);
  });
});
