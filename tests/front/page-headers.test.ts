import { describe, expect, it } from "vitest";
import {
  addPageFacts,
  addReportingGroups,
  isShared,
  readSentFacts,
  weakenValidators,
} from "#src/front/page-headers.ts";

describe("the groups of a page's reports", () => {
  const add = (headers: Record<string, string>) => {
    const all = new Headers(headers);
    addReportingGroups(all, "/m?t=T");
    return all.get("reporting-endpoints");
  };

  it.each<[string, Record<string, string>, string]>([
    ["a site without one", {}, 'errata="/m?t=T", default="/m?t=T"'],
    [
      "a site with another one",
      { "reporting-endpoints": 'main="/own"' },
      'main="/own", errata="/m?t=T", default="/m?t=T"',
    ],
    [
      "a site with the default one, which keeps it",
      { "reporting-endpoints": 'csp="/a", default="/own"' },
      'csp="/a", default="/own", errata="/m?t=T"',
    ],
    [
      "a site with a name that ends alike",
      { "reporting-endpoints": 'my-default="/own"' },
      'my-default="/own", errata="/m?t=T", default="/m?t=T"',
    ],
    [
      "a site with the older header, whose group may be the default",
      { "report-to": '{"max_age":1,"endpoints":[]}' },
      'errata="/m?t=T"',
    ],
    [
      "a site of Errata's adapter",
      { "reporting-endpoints": 'errata="/own", default="/own"' },
      'errata="/own", default="/own"',
    ],
  ])("are added to those of %s", (_, headers, expected) => {
    expect(add(headers)).toBe(expected);
  });
});

it.each<[string | undefined, string | undefined]>([
  ['"abc"', 'W/"abc"'],
  ['W/"abc"', 'W/"abc"'],
  ["odd", "odd"],
  [undefined, undefined],
])("a changed page has no strong validator: %s", (etag, expected) => {
  const headers = new Headers({ "content-length": "7", "accept-ranges": "bytes" });
  if (etag !== undefined) headers.set("etag", etag);
  weakenValidators(headers);
  expect([headers.get("etag") ?? undefined, headers.get("content-length")]).toEqual([
    expected,
    null,
  ]);
  expect(headers.has("accept-ranges")).toBe(false);
});

it.each([
  [{}, false],
  [{ "cache-control": "public" }, true],
  [{ "cache-control": "max-age=60" }, true],
  [{ "cache-control": "max-age=0, s-maxage=1" }, true],
  [{ "cache-control": "max-age=0" }, false],
  [{ "cache-control": "private, max-age=60" }, false],
  [{ "cache-control": "no-store, max-age=60" }, false],
  [{ expires: "Wed, 21 Oct 2037 07:28:00 GMT", date: "Wed, 21 Oct 2037 07:27:00 GMT" }, true],
  [{ expires: "Wed, 21 Oct 2037 07:27:00 GMT", date: "Wed, 21 Oct 2037 07:27:00 GMT" }, false],
  [{ expires: "0", date: "Wed, 21 Oct 2037 07:27:00 GMT" }, false],
  [
    {
      ...{ "cache-control": "max-age=0", date: "Wed, 21 Oct 2037 07:27:00 GMT" },
      expires: "Wed, 21 Oct 2037 07:28:00 GMT",
    },
    false,
  ],
])("a page with the headers %j may be that of many visitors: %s", (headers, expected) => {
  expect(isShared(new Headers(headers as Record<string, string>))).toBe(expected);
});

it("page facts stand beside those of the site", () => {
  const headers = new Headers({ "server-timing": "db;dur=3" });
  addPageFacts(headers, { trace: "0af7" });
  addPageFacts(headers, {});
  expect(headers.get("server-timing")).toBe('db;dur=3, errata-trace;desc="0af7"');
  expect(readSentFacts(headers)).toEqual({ hasToken: false, hasTrace: true });
  expect(readSentFacts(new Headers({ "server-timing": 'errata-token;desc="x"' }))).toEqual({
    hasToken: true,
    hasTrace: false,
  });
});
