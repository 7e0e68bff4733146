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
    "-timeout",
    "env:prod*",
    "env:a,b users:>10 is:assigned",
  ])("can be %s", (query) => {
    expect(findQueryProblem(query)).toBeNull();
  });

  it.each([
    ["env:production OR env:staging", "“OR”: OR works between the values of one key"],
    ["env:production or env:staging", "“OR”: OR works between the values of one key"],
    ["env:a AND env:b", "“AND”: It is left out"],
    ["NOT env:a", "“NOT”: It is left out"],
    ["env:a || env:b", "“||”: OR works between"],
    ["(env:production)", "“(env:production)”: Brackets are left out"],
    ["is:open (env:a", "“(env:a”: Brackets are left out"],
    ["env:a)", "“env:a)”: Brackets are left out"],
    ["is:unknown", "“is:unknown”: There is no is:unknown"],
    ["-is:new", "is:new cannot be excluded"],
    ["is:resolved", "cause no alerts: remove “is:resolved”"],
    ["is:folded", "Folded issues cause no alerts: remove “is:folded”"],
    ["env:", "“env:”: It has no value"],
    ['env:""', "has no value"],
    ["!env:production", "A minus excludes a value."],
    ["kind:eror", "“kind:eror”: It matches nothing: use error, recovered"],
    ["level:critical", "use fatal, error, warning, info or debug"],
    ["trust:trusted", "use server, page or public"],
    ["users:many", "users: takes a number"],
    ["assigned:me", "name the member in “assigned:me”"],
    ["user:ada", "remove “user:”"],
    [Array.from({ length: 21 }, (_, n) => `t${n}:x`).join(" "), "too many filters"],
  ])("cannot be %s", (query, problem) => {
    expect(findQueryProblem(query)).toContain(problem);
  });
});
