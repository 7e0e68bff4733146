// The texts of React's error codes in the build: they are what the development build of React throws
// where the production build throws the code.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import {
  decodeReactError,
  REACT_TEXTS_PATH,
  type ReactTexts,
} from "#src/core/error-codes/react-error.ts";

const root = join(import.meta.dirname, "../..");
const table: ReactTexts = JSON.parse(
  readFileSync(join(root, "dist/client", REACT_TEXTS_PATH), "utf8"),
);

/** The message of the error that a script throws with a build of React. */
function throwIn(build: "production" | "development", script: string): string {
  const code = `
    const React = require("react");
    const { renderToString } = require("react-dom/server.browser");
    const { createRoot } = require("react-dom/client");
    console.error = () => {};
    try { ${script}; } catch (error) { console.log(error.message); }
    process.exit();`;
  const env = { ...process.env, NODE_ENV: build };
  return execFileSync(process.execPath, ["-e", code], { cwd: root, env, encoding: "utf8" }).trim();
}

describe("the text of a code", () => {
  test.each([
    ["31", 'renderToString(React.createElement("p", null, { price: 1, name: "tea" }))'],
    ["62", 'renderToString(React.createElement("p", { style: "color: red" }))'],
    ["399", 'renderToString(React.createElement("br", null, "text"))'],
    ["299", "createRoot(null)"],
    [
      "301",
      "renderToString(React.createElement(function Loop() { const [n, set] = React.useState(0); set(n + 1); return n; }))",
    ],
  ])("%s is that of the development build, with its arguments", (code, script) => {
    const message = throwIn("production", script);
    expect(message).toContain(`Minified React error #${code};`);
    expect(decodeReactError(message, table)?.text).toBe(throwIn("development", script));
  });
});

describe("the table", () => {
  it("is of the installed React, and has the codes of hydration and of hooks", () => {
    const { version } = JSON.parse(
      readFileSync(join(root, "node_modules/react/package.json"), "utf8"),
    );
    expect(table.version).toBe(version);
    expect(Object.keys(table.texts)).toEqual(
      expect.arrayContaining(["31", "130", "185", "300", "310", "321", "418", "419"]),
    );
    expect(table.texts["418"]).toMatch(
      /^Hydration failed because the server rendered %s didn't match/,
    );
  });

  it("has no text for two codes that differ in more than their caller", () => {
    const texts = Object.values(table.texts);
    expect(texts.every((text) => /[A-Za-z]{3}/.test(text))).toBe(true);
    expect(texts.length - new Set(texts).size).toBeLessThanOrEqual(2);
  });
});
