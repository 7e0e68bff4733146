import { afterEach, describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { VISITOR_TEXTS } from "#src/core/visitors/visitor-language.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log } from "#support/store/store.ts";

const DIGEST = "7F3K-Q2M9";
const LANGUAGES = Object.entries(VISITOR_TEXTS);

afterEach(() => emptyStore());

const open = (language: string, path = `/e/${DIGEST}?streaming=off`) =>
  visit(path, { headers: { "accept-language": `${language},en;q=0.5` } });

describe.each(LANGUAGES)("a receipt for a visitor who reads %s", (language, texts) => {
  it("has its status, its form and its language", async () => {
    await log.append([createReport(1)]);
    const { body, response } = await open(language);
    const isRightToLeft = language === "ar" || language === "he";
    const html = isRightToLeft ? `<html lang="${language}" dir="rtl"` : `<html lang="${language}"`;
    expect(body).toContain(html);
    for (const text of [texts.receipt, texts.knownTitle, texts.stepFixed, texts.question])
      expect(body).toContain(text);
    expect(body).toMatch(new RegExp(`<code class="digest" dir="ltr">${DIGEST}</code>`));
    expect(response.headers.get("vary")).toContain("Accept-Language");
  });

  it("says in it that a code is unknown, or that a comment was not sent", async () => {
    await log.append([createReport(1)]);
    expect((await open(language, "/e/0000-0000?streaming=off")).body).toContain(texts.unknownTitle);
    const { body } = await visit(`/e/${DIGEST}`, {
      method: "POST",
      headers: {
        "accept-language": language,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: String(new URLSearchParams({ comment: "" })),
    });
    const max = new Intl.NumberFormat(language).format(limits.maxReceiptCommentChars);
    expect(body).toContain(texts.badComment.replace("{max}", max));
  });
});

it("a language that there is not, is answered in English", async () => {
  const { body } = await visit("/e/0000-0000?streaming=off", {
    headers: { "accept-language": "tlh" },
  });
  expect(body).toContain('<html lang="en"');
  expect(body).toContain("This code is not known yet.");
});
