import { describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { isUninformative } from "#src/core/grouping/v1/uninformative.ts";
import { findFailure, hasFailedBoundary } from "#src/front/failure-seen.ts";

const DIGEST = digestFromHash(new Uint8Array(32).fill(7));

const find = (
  status: number,
  text: string,
  headers: Record<string, string> = {},
  isWhole = false,
) => findFailure({ status, headers: new Headers(headers) }, { text, isWhole });

describe("a failure that the status tells", () => {
  it("is one issue for each status and route", () => {
    expect(find(500, "<h1>500</h1>")).toEqual({
      type: "HTTP 500",
      message: "The request failed with status 500",
      aliases: [],
      isOfSite: false,
    });
    expect(isUninformative(find(599, "")?.message ?? "")).toBe(true);
  });

  it.each([502, 503, 504, 520, 522, 530])("is one issue for the whole site: %d", (status) => {
    const failure = find(status, "");
    expect(failure).toMatchObject({ type: `HTTP ${status}`, isOfSite: true });
    expect(isUninformative(failure?.message ?? "")).toBe(false);
  });

  it.each([200, 204, 404, 410, 429])("is none: %d", (status) => {
    expect(find(status, "<p>x</p>")).toBeUndefined();
  });

  it.each([
    ["React's markup", `<template data-dgst="2338823894"></template>`, ["2338823894"]],
    ["React's script", `<script>$RX("B:0","2338823894@E394")</script>`, ["2338823894@E394"]],
    [
      "the data of Next.js",
      String.raw`self.__next_f.push([1,"{\"digest\":\"123456\"}"])`,
      ["123456"],
    ],
    ["two of them", `"digest":"1111" data-dgst="2222" data-dgst="2222"`, ["1111", "2222"]],
  ])("has the codes of the framework: %s", (_, text, codes) => {
    expect(find(500, text)?.aliases).toEqual([...codes]);
  });

  it.each([
    ["its header", "", { "server-timing": `db;dur=3, errata-digest;desc="${DIGEST}"` }],
    ["its markup", `<template data-dgst="${DIGEST}">`, {}],
    ["its notice", `<small>Digest</small><code>${DIGEST}</code>`, {}],
    ["its data", `"digest":"${DIGEST}"`, {}],
  ])("is that of the application if %s names it", (_, text, headers) => {
    expect(find(500, text, headers)).toBeUndefined();
    expect(find(500, text.replace(DIGEST, "ABCD-EFGH"))).toBeDefined();
  });
});

describe("a failure behind a status of 200", () => {
  it.each([
    ["the error page of Next.js", `<!DOCTYPE html><html id="__next_error__"><head>`],
    ["the error page of Next.js with attributes", `<html lang="de" id="__next_error__">`],
    [
      "the error page of the Pages Router",
      "<title>Application error: a client-side exception has occurred</title>",
    ],
    ["the error page of React Router", "<title>Application Error!</title>"],
    ["a boundary that failed", `<!--$!--><template data-dgst="123"></template>`],
    ["a boundary that failed late", `<script>$RX("B:1","123")</script>`],
  ])("is seen: %s", (_, text) => {
    expect(find(200, text)?.type).toBe("Silent 200");
  });

  it("is seen in a page without a byte, which must be whole", () => {
    expect(find(200, " \n", {}, true)).toMatchObject({ seen: "an empty page" });
    expect(find(200, " \n", {}, false)).toBeUndefined();
  });

  it.each([
    ["a page about the error", "<h1>Application error: a client-side exception has occurred</h1>"],
    ["a question about it", "<title>Application error: a client-side exception - Forum</title>"],
    ["the mark in code", "<html><code>&lt;html id=&quot;__next_error__&quot;&gt;</code>"],
    ["the mark in a later element", `<html><body><div id="__next_error__">`],
    ["the name of the attribute in a script", "<script>q('template[data-dgst]')</script>"],
    ["the script that marks boundaries", "<script>$RX=function(b,c){}</script>"],
    ["a notice, which its application has reported", `<div class="errata-notice"><p>x</p></div>`],
    ["an empty root element", `<!doctype html><html><body><div id="root"></div></body></html>`],
  ])("is not %s", (_, text) => {
    expect(find(200, text, {}, true)).toBeUndefined();
  });

  it("is not reported again if the application named it", () => {
    expect(find(200, `<template data-dgst="${DIGEST}">`)).toBeUndefined();
    expect(find(200, `<div class="errata-notice"><code>${DIGEST}</code>`)).toBeUndefined();
  });

  it("is searched for by its marks alone", () => {
    expect(hasFailedBoundary(`x data-dgst="1"`)).toBe(true);
    expect(hasFailedBoundary("x")).toBe(false);
  });
});

describe("a failure that a cache keeps", () => {
  it.each([
    [{ "cf-cache-status": "HIT" }, true],
    [{ "cf-cache-status": "stale" }, true],
    [{ age: "12" }, true],
    [{ "cf-cache-status": "MISS" }, false],
    [{ "cf-cache-status": "DYNAMIC", age: "0" }, false],
    [{ age: "x" }, false],
  ])("is told by %j: %s", (headers, isCached) => {
    const type = isCached ? "Cached failure" : "HTTP 500";
    expect(find(500, "", headers)?.type).toBe(type);
    expect(find(200, "<title>Application Error!</title>", headers)?.type).toBe(
      isCached ? "Cached failure" : "Silent 200",
    );
  });

  it("belongs to the issue whose digest it shows", () => {
    const notice = `<div class="errata-notice"><code>${DIGEST}</code></div>`;
    expect(find(200, notice, { age: "12" })).toMatchObject({
      type: "Cached failure",
      digest: DIGEST,
    });
    expect(find(500, notice, { "cf-cache-status": "HIT" })).toMatchObject({ digest: DIGEST });
  });

  it("is none for a good page", () => {
    expect(find(200, "<p>x</p>", { "cf-cache-status": "HIT", age: "60" })).toBeUndefined();
  });
});
