// The queries that a rule refuses, because it would never fire as it was meant.

import { describe, expect, it } from "vitest";
import { findQueryProblem } from "#src/core/alerts/queries/check-rule-query.ts";

describe("the query of a rule", () => {
  it.each([
    "",
    "env:production",
    "enviroment:production",
    "-env:staging release:1.4 plan:gold",
    'env:"production (eu)"',
    "is:open is:unassigned",
    "-is:archived",
    "kind:err trust:server",
    "level:fatal",
    "-level:warn",
    "cannot read price",
    '"OR" total()',
    "https://shop.example/cart",
    "url:/cart/(id)",
    "getUser() failed",
  ])("can be %s", (query) => {
    expect(findQueryProblem(query)).toBeNull();
  });

  it.each([
    ["env:production OR env:staging", "“OR” is not supported"],
    ["env:production or env:staging", "“or” is not supported"],
    ["env:a AND env:b", "“AND” is not supported"],
    ["NOT env:a", "“NOT” is not supported"],
    ["env:a || env:b", "“||” is not supported"],
    ["(env:production)", "Brackets are not supported"],
    ["is:open (env:a", "Brackets are not supported"],
    ["env:a)", "Brackets are not supported"],
    ["-(env:a)", "Brackets are not supported"],
    ["is:unknown", "“is:unknown” is unknown: use open, snoozed, resolved"],
    ["-is:new", "“-is:new” cannot be excluded."],
    ["is:resolved", "cause no alerts: remove “is:resolved”"],
    ["is:folded", "Folded issues cause no alerts: remove “is:folded”"],
    ["env:", "“env:” has no value."],
    ['env:""', "has no value."],
    ["-plan:", "“-plan:” has no value."],
    ["!env:production", "is not a filter. Write “-env:…”"],
    ["-timeout", "words cannot be excluded"],
    ["env:prod*", "leave out “*”"],
    ["kind:eror", "“kind:eror” matches nothing: use error, recovered"],
    ["level:critical", "use fatal, error, warning, info or debug"],
    ["trust:trusted", "use server, page or public"],
    [Array.from({ length: 21 }, (_, n) => `t${n}:x`).join(" "), "at most 20 filters"],
  ])("cannot be %s", (query, problem) => {
    expect(findQueryProblem(query)).toContain(problem);
  });
});
