import { afterEach, expect, it, test } from "vitest";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log } from "#support/store/store.ts";

afterEach(() => emptyStore());

const PATH = "/settings/repositories/editor";
const save = (fields: Record<string, string>) =>
  visit(PATH, {
    method: "POST",
    body: new URLSearchParams(fields).toString(),
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      origin: "http://localhost:8787",
      "sec-fetch-site": "same-origin",
    },
  });
const frames = [{ function: "total", file: "src/price.ts", line: 7, column: 3, inApp: true }];
const readHref = async (cookie: string) => {
  await log.append([createReport(1, { frames })]);
  const { body } = await visit("/d/7F3K-Q2M9?streaming=off", { headers: { cookie } });
  return /<a class="frame-editor" href="([^"]*)"/.exec(body)?.[1];
};

it("a browser keeps its editor for a project, and frames open in it", async () => {
  const { response } = await save({ editor: "cursor", root: "/home/ada/shop" });
  expect(response.status).toBe(303);
  const cookie = response.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/^errata-editor-1=.*; Max-Age=31536000; .*HttpOnly/);
  const [stored = ""] = cookie.split(";");
  expect(await readHref(stored)).toBe("cursor://file/home/ada/shop/src/price.ts:7:3");
});

it("no editor deletes the setting, and frames have no link without one", async () => {
  const { response } = await save({ editor: "", root: "" });
  expect(response.headers.get("set-cookie")).toMatch(/errata-editor-1=; Max-Age=0/);
  expect(await readHref("")).toBeUndefined();
});

test.each(["vscode shop", "javascript /home", "vscode /a/../../b", "vscode", "%E0%A4%A"])(
  "a cookie that nobody could have set is no setting: %s",
  async (value) => {
    expect(await readHref(`errata-editor-1=${encodeURIComponent(value)}`)).toBeUndefined();
  },
);

test.each([
  [{ editor: "vscode", root: "shop" }, "absolute path"],
  [{ editor: "emacs", root: "/shop" }, "one of the list"],
])("the form says what is expected: %j", async (fields, text) => {
  const { response, body } = await save(fields);
  expect(response.status).toBe(400);
  expect(body).toContain(text);
  expect(response.headers.get("set-cookie") ?? "").not.toContain("errata-editor");
});
