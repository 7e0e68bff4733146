import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allowsReports, allowTag } from "#src/front/policy-with-tag.ts";

const WANTED = {
  pageUrl: "https://shop.example/cart",
  scriptUrl: "https://shop.example/monitoring/errata.js",
  reportUrl: "https://shop.example/monitoring",
  integrity: "sha256-abc=",
  reporting: { group: "errata", uri: "/monitoring?t=T" },
};
const HASH = "'sha256-abc='";
const SCRIPT = WANTED.scriptUrl;
const REPORTS = WANTED.reportUrl;
/** With a receiver, so that only the loads matter. */
const R = "; report-uri /csp";

const allow = (enforced: string | null, reportOnly: string | null = null) =>
  allowTag({ enforced, reportOnly }, WANTED);

describe("the policy of a page", () => {
  it("stays without one", () => {
    expect(allow(null)).toEqual({ enforced: null, reportOnly: null, needsIntegrity: false });
  });

  it.each([
    ["that names no loads", `upgrade-insecure-requests${R}`],
    ["with 'self'", `default-src 'self'${R}`],
    ["with the site's host", `script-src https://shop.example; connect-src *${R}`],
    ["with the scheme", `default-src https:${R}`],
    ["with a wildcard", `script-src *.example; connect-src *.example${R}`],
    ["with 'self' among the elements' sources", `script-src 'none'; script-src-elem 'self'${R}`],
    ["of inline scripts and 'self'", `default-src 'self' 'unsafe-inline'${R}`],
    ["in capital letters and odd spaces", `  SCRIPT-SRC\t'SELF' ;;  connect-src  'self' ${R}`],
    ["several of them", `default-src 'self'${R}, script-src https:${R}`],
  ])("is not changed if it allows the script and its reports: %s", (_, policy) => {
    expect(allow(policy)).toMatchObject({
      enforced: policy,
      reportOnly: null,
      nonce: undefined,
      needsIntegrity: false,
    });
  });

  it.each<[string, string, string]>([
    [
      "of another host",
      `script-src https://cdn.example; connect-src 'self'${R}`,
      `script-src https://cdn.example ${HASH}; connect-src 'self'${R}`,
    ],
    [
      "of a default for another host",
      `default-src https://cdn.example; connect-src 'self'${R}`,
      `default-src https://cdn.example; connect-src 'self'${R}; script-src https://cdn.example ${HASH}`,
    ],
    [
      "with 'strict-dynamic' and hashes",
      `script-src 'sha256-x' 'strict-dynamic' 'self'${R}`,
      `script-src 'sha256-x' 'strict-dynamic' 'self' ${HASH}${R}`,
    ],
    [
      "with 'strict-dynamic' and 'unsafe-inline' for old browsers",
      `script-src 'strict-dynamic' 'unsafe-inline' https:${R}`,
      `script-src 'strict-dynamic' 'unsafe-inline' https: ${HASH}${R}`,
    ],
    [
      "for elements",
      `script-src 'self'; script-src-elem https://cdn.example${R}`,
      `script-src 'self'; script-src-elem https://cdn.example ${HASH}${R}`,
    ],
  ])("gets the script's hash: %s", (_, policy, expected) => {
    expect(allow(policy)).toMatchObject({ enforced: expected, needsIntegrity: true });
  });

  it("gets the script's address where a hash would switch off 'unsafe-inline'", () => {
    const policy = `script-src 'unsafe-inline' https://cdn.example${R}`;
    expect(allow(policy)).toMatchObject({
      enforced: `script-src 'unsafe-inline' https://cdn.example ${SCRIPT}${R}`,
      needsIntegrity: false,
    });
  });

  it("lends its nonce to the tag", () => {
    const policy = `script-src 'nonce-r4nd0m' 'strict-dynamic'${R}`;
    expect(allow(policy)).toMatchObject({
      enforced: policy,
      nonce: "r4nd0m",
      needsIntegrity: false,
    });
  });

  it("lends the nonce that most of the policies have, and the others get the hash", () => {
    const [one, two] = ["script-src 'nonce-a'", "script-src 'nonce-b' 'strict-dynamic'"];
    expect(allow(`${one}${R}, ${two}${R}, ${two}${R}`)).toMatchObject({
      enforced: `${one} ${HASH}${R}, ${two}${R}, ${two}${R}`,
      nonce: "b",
      needsIntegrity: true,
    });
  });

  it.each<[string, string, string]>([
    ["'none'", `connect-src 'none'${R}`, `connect-src ${REPORTS}${R}`],
    [
      "another host",
      `connect-src https://a.example${R}`,
      `connect-src https://a.example ${REPORTS}${R}`,
    ],
    ["nothing", `connect-src${R}`, `connect-src ${REPORTS}${R}`],
    [
      "a default of 'none'",
      `default-src 'none'; script-src 'self'${R}`,
      `default-src 'none'; script-src 'self'${R}; connect-src ${REPORTS}`,
    ],
    [
      "a default of another host",
      `default-src https://a.example; script-src 'self'${R}`,
      `default-src https://a.example; script-src 'self'${R}; connect-src https://a.example ${REPORTS}`,
    ],
  ])(
    "gets the one address of reports where connections are limited to %s",
    (_, policy, expected) => {
      expect(allow(policy)).toMatchObject({ enforced: expected });
    },
  );

  it.each([
    ["'none'", "script-src 'none'"],
    ["a default of 'none'", "default-src 'none'"],
    ["an empty list", "script-src"],
    ["'none' for elements", "script-src 'self'; script-src-elem 'none'"],
    ["a sandbox without scripts", "sandbox allow-forms"],
    ["one of two policies", "script-src 'self', script-src 'none'"],
  ])("gets nothing, and the page no tag, if it forbids scripts: %s", (_, policy) => {
    expect(allow(policy)).toBeUndefined();
    expect(allow(null, policy)).toBeUndefined();
  });

  it("is changed alike if it only reports, because it would report every view", () => {
    expect(allow(null, `script-src https://cdn.example; connect-src 'self'${R}`)).toMatchObject({
      enforced: null,
      reportOnly: `script-src https://cdn.example ${HASH}; connect-src 'self'${R}`,
    });
  });

  it("reports to Errata if it reports to nobody", () => {
    expect(allow("script-src 'self'; connect-src 'self'")).toMatchObject({
      enforced:
        "script-src 'self'; connect-src 'self'; report-uri /monitoring?t=T; report-to errata",
    });
    const insecure = { ...WANTED, reporting: { uri: "/monitoring?t=T" } };
    expect(allowTag({ enforced: "img-src *", reportOnly: null }, insecure)).toMatchObject({
      enforced: "img-src *; report-uri /monitoring?t=T",
    });
    const own = "script-src 'self'; connect-src 'self'; report-to mine";
    expect(allow(own)).toMatchObject({ enforced: own });
  });

  it("never gets 'unsafe-inline', 'unsafe-eval' or a source beyond those three", () => {
    const source = fc.constantFrom(
      ...["'self'", "'none'", "'unsafe-inline'", "'strict-dynamic'", "'nonce-abc'", "*", "https:"],
      ...["'sha256-x'", "https://cdn.example", "'report-sample'", "data:", "'unsafe-eval'"],
    );
    const names = ["default-src", "script-src", "script-src-elem", "connect-src", "img-src"];
    const directive = fc
      .tuple(fc.constantFrom(...names), fc.array(source, { maxLength: 4 }))
      .map(([name, sources]) => [name, ...sources].join(" "));
    const policy = fc.array(directive, { minLength: 1, maxLength: 4 }).map((all) => all.join("; "));
    fc.assert(
      fc.property(policy, (text) => {
        const changed = allow(text)?.enforced;
        if (changed === undefined || changed === null) return;
        const before = new Set(text.split(/[\s;]+/));
        const added = changed.split(/[\s;]+/).filter((word) => !before.has(word));
        const expected = [HASH, SCRIPT, REPORTS, "script-src", "connect-src"];
        const reporting = ["report-uri", "/monitoring?t=T", "report-to", "errata"];
        expect(added.filter((word) => ![...expected, ...reporting].includes(word))).toEqual([]);
        // A hash beside an 'unsafe-inline' that counts would block the page's own scripts.
        const inline = /(?:^|;)\s*(script-src(?:-elem)?|default-src)\s[^;]*'unsafe-inline'[^;]*/g;
        for (const [found] of changed.matchAll(inline)) {
          if (!/nonce-|'sha256-x'|strict-dynamic/.test(found)) expect(found).not.toContain(HASH);
        }
      }),
    );
  });
});

describe("the only policy of a page", () => {
  it.each([
    [`img-src *${R}`, null, `img-src *${R}`],
    [null, ` img-src * ;${R}; `, `img-src * ;${R};`],
    ["img-src *", null, "img-src *; report-uri /monitoring?t=T; report-to errata"],
    ["img-src *, font-src *", null, undefined],
    ["img-src *", "font-src *", undefined],
    [null, null, undefined],
    ["", null, undefined],
  ])("of %j and %j is %j", (enforced, reportOnly, policy) => {
    expect(allow(enforced, reportOnly)?.only).toBe(policy);
  });
});

describe("a policy in the page itself", () => {
  it.each([
    ["default-src 'self'", true],
    ["img-src 'none'", true],
    ["default-src 'none'", false],
    ["connect-src https://api.example", false],
  ])("%s allows the reports of a tag in front of it: %s", (policy, isAllowed) => {
    expect(allowsReports(policy, WANTED)).toBe(isAllowed);
  });
});
