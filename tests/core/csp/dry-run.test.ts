import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CspPolicy } from "#src/core/csp/directives.ts";
import {
  type CspViolation,
  evaluatePolicies,
  evaluatePolicy,
} from "#src/core/csp/evaluate-policies.ts";
import { extendPolicies } from "#src/core/csp/extend-policy.ts";
import { parsePolicies, serializePolicy } from "#src/core/csp/parse-policies.ts";
import {
  matchesSource,
  parseSourceExpression,
  toUrlParts,
} from "#src/core/csp/source-expression.ts";
import { limits } from "#src/core/limits.ts";

const PAGE = "https://shop.example/cart?x=1";

function parse(text: string): readonly CspPolicy[] {
  const result = parsePolicies(text);
  if (!result.ok) throw new Error(result.expected);
  return result.value.policies;
}

/** Verdict, directive and reason: `allowed img-src`, `undecided script-src nonce`. */
function findVerdict(policy: string, directive: string, blocked: string, page = PAGE): string {
  const verdict = evaluatePolicies(parse(policy), {
    directive,
    blockedUri: blocked,
    pageUrl: page,
  });
  const why = verdict.verdict === "undecided" ? verdict.reason : undefined;
  return [verdict.verdict, verdict.directive, why].filter((part) => part !== undefined).join(" ");
}

describe("a source", () => {
  it.each([
    ["*", "https://cdn.example/a.js", true],
    ["*", "http://cdn.example:8080/a.js", true],
    ["*", "wss://cdn.example/", true],
    ["*", "data:image/png;base64,AAAA", false],
    ["*", "blob:https://shop.example/1", false],
    ["data:", "data:image/png;base64,AAAA", true],
    ["blob:", "blob:https://shop.example/1", true],
    ["http:", "https://cdn.example/", true],
    ["https:", "http://cdn.example/", false],
    ["HTTPS:", "https://cdn.example/", true],
    ["ws:", "wss://cdn.example/", true],
    ["wss:", "ws://cdn.example/", false],
    ["wss://cdn.example", "wss://cdn.example/socket", true],
    ["https://cdn.example", "wss://cdn.example/socket", true],
    ["http://cdn.example", "https://cdn.example/", true],
    ["https://cdn.example", "http://cdn.example/", false],
    ["cdn.example", "https://cdn.example/a.js", true],
    ["CDN.Example", "https://cdn.example/a.js", true],
    // A host without a scheme matches the scheme of the page or a more secure one.
    ["cdn.example", "http://cdn.example/a.js", false],
    ["cdn.example", "https://cdn.example.evil.example/", false],
    ["cdn.example", "https://a.cdn.example/", false],
    ["*.example", "https://cdn.example/", true],
    ["*.example", "https://a.b.example/", true],
    ["*.cdn.example", "https://cdn.example/", false],
    ["*.cdn.example", "https://evilcdn.example/", false],
    ["*:8443", "https://cdn.example:8443/", true],
    ["*:8443", "https://cdn.example/", false],
    ["cdn.example", "https://cdn.example:8443/", false],
    ["cdn.example:*", "https://cdn.example:8443/", true],
    ["cdn.example:443", "https://cdn.example/", true],
    ["cdn.example:8443", "https://cdn.example:8443/", true],
    ["cdn.example:80", "https://cdn.example/", false],
    ["127.0.0.1:9000", "https://127.0.0.1:9000/", true],
    ["cdn.example/js/", "https://cdn.example/js/a.js", true],
    ["cdn.example/js/", "https://cdn.example/js/b/a.js", true],
    ["cdn.example/js/", "https://cdn.example/js", false],
    ["cdn.example/js/", "https://cdn.example/css/a.js", false],
    ["cdn.example/js", "https://cdn.example/js/a.js", false],
    ["cdn.example/js/a.js", "https://cdn.example/js/a.js?v=2", true],
    ["cdn.example/js/%61.js", "https://cdn.example/js/a.js", true],
    ["cdn.example/js/A.js", "https://cdn.example/js/a.js", false],
    ["cdn.example/%zz", "https://cdn.example/%zz", true],
    ["cdn.example/", "https://cdn.example/js/a.js", true],
    ["'self'", "https://shop.example/a.js", true],
    ["'SELF'", "https://shop.example/a.js", true],
    ["'self'", "wss://shop.example/socket", true],
    ["'self'", "https://shop.example:8443/a.js", false],
    ["'self'", "http://shop.example/a.js", false],
    ["'self'", "https://www.shop.example/a.js", false],
    ["'self'", "blob:https://shop.example/1", false],
    ["'none'", "https://shop.example/a.js", false],
    ["'nonce-abc'", "https://shop.example/a.js", false],
    ["'unsafe-inline'", "https://shop.example/a.js", false],
    ["https://", "https://shop.example/a.js", false],
    ["cdn.example/a?b", "https://cdn.example/a?b", false],
  ])("%s matches %s: %s", (source, url, expected) => {
    const target = toUrlParts(url);
    if (target === undefined) throw new Error(url);
    expect(matchesSource(parseSourceExpression(source), target, toUrlParts(PAGE))).toBe(expected);
  });

  it.each([
    ["http://localhost:3000/", "https://localhost:3000/a.js", true],
    ["http://localhost:3000/", "http://localhost:3000/a.js", true],
    ["http://localhost:3000/", "http://localhost:3001/a.js", false],
    ["http://shop.example/", "https://shop.example/a.js", true],
    ["https://shop.example/", "http://shop.example/a.js", false],
  ])("'self' on %s matches %s: %s", (page, url, expected) => {
    const target = toUrlParts(url);
    if (target === undefined) throw new Error(url);
    expect(matchesSource({ kind: "self" }, target, toUrlParts(page))).toBe(expected);
  });
});

describe("the verdict of a policy", () => {
  const CDN = "https://cdn.example/a.js";
  it.each([
    // The nearest fallback applies.
    ["img-src 'self'", "img-src", CDN, "blocked img-src"],
    ["default-src 'self'", "img-src", CDN, "blocked default-src"],
    ["default-src 'none'; img-src cdn.example", "img-src", CDN, "allowed img-src"],
    ["style-src 'self'", "img-src", CDN, "allowed"],
    ["default-src 'none'; script-src cdn.example", "script-src-elem", CDN, "allowed script-src"],
    [
      "script-src cdn.example; script-src-elem 'self'",
      "script-src-elem",
      CDN,
      "blocked script-src-elem",
    ],
    [
      "script-src cdn.example; script-src-attr 'none'",
      "script-src-elem",
      CDN,
      "allowed script-src",
    ],
    ["default-src 'none'; child-src cdn.example", "frame-src", CDN, "allowed child-src"],
    ["default-src 'none'; script-src cdn.example", "worker-src", CDN, "allowed script-src"],
    ["default-src cdn.example; frame-src 'none'", "fenced-frame-src", CDN, "blocked frame-src"],
    ["default-src 'none'", "base-uri", CDN, "allowed"],
    ["default-src 'none'", "form-action", CDN, "allowed"],
    ["form-action 'self'", "form-action", CDN, "blocked form-action"],
    // An empty list is 'none'; 'none' next to other sources is ignored.
    ["img-src", "img-src", CDN, "blocked img-src"],
    ["img-src 'none' cdn.example", "img-src", CDN, "allowed img-src"],
    // Several policies: all must allow.
    ["img-src cdn.example, img-src 'self'", "img-src", CDN, "blocked img-src"],
    ["script-src 'nonce-a', default-src 'none'", "script-src-elem", CDN, "blocked default-src"],
    ["img-src cdn.example, style-src 'self'", "img-src", CDN, "allowed img-src"],
    // Inline.
    ["script-src 'self'", "script-src-elem", "inline", "blocked script-src"],
    ["script-src 'unsafe-inline'", "script-src-elem", "inline", "allowed script-src"],
    [
      "script-src 'unsafe-inline' 'nonce-a'",
      "script-src-elem",
      "inline",
      "undecided script-src nonce",
    ],
    ["script-src 'unsafe-inline' 'nonce-a'", "script-src-attr", "inline", "blocked script-src"],
    ["script-src 'sha256-AAAA='", "script-src-elem", "inline", "undecided script-src hash"],
    ["script-src 'sha256-AAAA='", "script-src-attr", "inline", "blocked script-src"],
    [
      "script-src 'unsafe-hashes' 'sha256-AAAA='",
      "script-src-attr",
      "inline",
      "undecided script-src hash",
    ],
    ["script-src 'unsafe-inline' 'strict-dynamic'", "script-src", "inline", "blocked script-src"],
    ["style-src 'unsafe-inline' 'strict-dynamic'", "style-src-elem", "inline", "allowed style-src"],
    ["style-src 'nonce-a'", "style-src-elem", "inline", "undecided style-src nonce"],
    ["img-src 'self'", "style-src-attr", "inline", "allowed"],
    // Eval, whatever directive was reported.
    ["script-src 'self'", "script-src", "eval", "blocked script-src"],
    ["script-src 'unsafe-eval'", "script-src", "eval", "allowed script-src"],
    ["script-src 'wasm-unsafe-eval'", "script-src", "eval", "blocked script-src"],
    ["script-src 'wasm-unsafe-eval'", "script-src", "wasm-eval", "allowed script-src"],
    ["default-src 'self'", "script-src-elem", "eval", "blocked default-src"],
    ["script-src-elem 'none'", "script-src", "eval", "allowed"],
    // Facts that a report does not contain.
    ["script-src 'nonce-a'", "script-src-elem", CDN, "undecided script-src nonce"],
    ["script-src 'nonce-a' cdn.example", "script-src-elem", CDN, "allowed script-src"],
    ["script-src 'sha256-AAAA='", "script-src-elem", CDN, "undecided script-src hash"],
    ["style-src 'sha256-AAAA='", "style-src-elem", CDN, "blocked style-src"],
    ["img-src 'nonce-a'", "img-src", CDN, "blocked img-src"],
    [
      "script-src 'strict-dynamic' 'nonce-a' cdn.example",
      "script-src-elem",
      CDN,
      "undecided script-src strict-dynamic",
    ],
    ["script-src 'strict-dynamic' 'nonce-a'", "worker-src", CDN, "allowed script-src"],
    ["default-src 'self'", "default-src", CDN, "blocked default-src"],
    ["img-src 'self'", "default-src", CDN, "undecided directive"],
    ["form-action 'self'", "default-src", CDN, "allowed"],
    ["img-src 'self'", "img-src", "something", "undecided img-src resource"],
    ["img-src 'self'", "invented-src", CDN, "undecided directive"],
    // Schemes without a host, as browsers report local content.
    ["img-src 'self' data:", "img-src", "data", "allowed img-src"],
    ["img-src *", "img-src", "data", "blocked img-src"],
    ["worker-src blob:", "worker-src", "blob", "allowed worker-src"],
    // Directives without a list of URLs.
    ["frame-ancestors 'none'", "frame-ancestors", CDN, "blocked frame-ancestors"],
    ["frame-ancestors *", "frame-ancestors", CDN, "allowed frame-ancestors"],
    ["frame-ancestors 'self'", "frame-ancestors", CDN, "undecided frame-ancestors frame-ancestor"],
    ["img-src *", "frame-ancestors", CDN, "allowed"],
    [
      "require-trusted-types-for 'script'",
      "require-trusted-types-for",
      "trusted-types-sink",
      "blocked require-trusted-types-for",
    ],
    ["img-src *", "require-trusted-types-for", "trusted-types-sink", "allowed"],
    [
      "trusted-types app",
      "trusted-types",
      "trusted-types-policy",
      "undecided trusted-types policy-name",
    ],
  ])("for %s · %s · %s is: %s", (policy, directive, blocked, expected) => {
    expect(findVerdict(policy, directive, blocked)).toBe(expected);
  });

  it("is undecided for 'self' if the page is unknown", () => {
    const violation = { directive: "img-src", blockedUri: "https://shop.example/a.png" };
    const [policy = []] = parse("img-src 'self'");
    expect(evaluatePolicy(policy, violation)).toEqual({
      verdict: "undecided",
      directive: "img-src",
      reason: "page-url",
    });
  });
});

describe("a pasted policy", () => {
  it.each([
    ["default-src 'self'; IMG-SRC *", ["default-src 'self'; img-src *"]],
    [" ;; script-src\n\t'self'\n  https://a.example ;", ["script-src 'self' https://a.example"]],
    [
      "Content-Security-Policy: default-src 'self'\ncontent-security-policy-report-only : img-src *",
      ["default-src 'self'", "img-src *"],
    ],
    ["script-src 'self', img-src *", ["script-src 'self'", "img-src *"]],
    ["img-src a.example; img-src b.example", ["img-src a.example"]],
    ["script-src\nhttps://a.example", ["script-src https://a.example"]],
    ["upgrade-insecure-requests", ["upgrade-insecure-requests"]],
  ])("%j is parsed as %j", (text, expected) => {
    expect(parse(text).map(serializePolicy)).toEqual(expected);
  });

  it.each([
    ["script-src self", "unquoted self"],
    ["script-src nonce-abc", "unquoted nonce-abc"],
    ["script-source 'self'; img-src *", "unknown-directive script-source"],
    ["img-src *; img-src 'none'", "duplicate-directive img-src"],
    ["img-src 'none' a.example", "none-beside-others 'none'"],
    ["img-src ‘self’; style-src *", "not-ascii img-src"],
    ["img-src https://a.example/?q", "invalid-source https://a.example/?q"],
    ["img-src 'unsafe-everything'", "unknown-keyword 'unsafe-everything'"],
    ["script-src 'nonce-{nonce}'", "unknown-keyword 'nonce-{nonce}'"],
  ])("%s has the warning: %s", (text, warning) => {
    const result = parsePolicies(text);
    const warnings = result.ok ? result.value.warnings : [];
    expect(warnings.map(({ problem, word }) => `${problem} ${word}`)).toEqual([warning]);
  });

  it.each([
    ["img-src 'none' a.example", "img-src a.example"],
    ["img-src 'none'", "img-src 'none'"],
    ["img-src https://a.example/?q b.example", "img-src b.example"],
    ["img-src https://a.example/?q", "img-src"],
    ["img-src *; img-src 'none'", "img-src *"],
    ["img-src ‘self’; style-src *", "style-src *"],
    // Words that a newer browser may support, or that a template fills in, stay.
    ["img-src 'unsafe-everything' self", "img-src 'unsafe-everything' self"],
    ["script-src 'nonce-{nonce}'; script-source *", "script-src 'nonce-{nonce}'; script-source *"],
    ["report-uri /a?b; sandbox allow-forms", "report-uri /a?b; sandbox allow-forms"],
  ])("%s is reduced to what browsers use: %s", (text, expected) => {
    expect(parse(text).map(serializePolicy)).toEqual([expected]);
  });

  it("states the number of warnings beyond the limit", () => {
    const words = Array.from({ length: limits.maxPolicyWarnings + 2 }, (_, n) => `?${n}`);
    const result = parsePolicies(`img-src ${words.join(" ")}`);
    expect(result).toMatchObject({ ok: true, value: { hiddenWarningCount: 2 } });
    expect(result.ok && result.value.warnings).toHaveLength(limits.maxPolicyWarnings);
  });

  it.each([
    "",
    " ; , ",
    "hello",
    "Content-Security-Policy:",
    "a".repeat(limits.maxPolicyChars + 1),
    "img-src,".repeat(limits.maxPolicies + 1),
  ])("is invalid: %.20j", (text) => {
    expect(parsePolicies(text)).toMatchObject({ ok: false, reason: "bad-policy" });
  });
});

describe("extendPolicies", () => {
  const violation = (directive: string, blocked: string): CspViolation => ({
    ...{ directive, blockedUri: blocked },
    pageUrl: PAGE,
  });
  const extend = (text: string, ...violations: CspViolation[]) => {
    const { policies, stillBlocked } = extendPolicies(parse(text), violations);
    return [
      ...policies.map(serializePolicy),
      ...stillBlocked.map(({ requirement }) => requirement),
    ];
  };

  it.each<readonly [string, CspViolation, readonly string[]]>([
    [
      "default-src 'self'",
      violation("img-src", "https://cdn.example/a.png"),
      ["default-src 'self'; img-src 'self' https://cdn.example"],
    ],
    [
      "default-src 'self'; img-src 'none'",
      violation("img-src", "https://cdn.example:8443/a.png"),
      ["default-src 'self'; img-src https://cdn.example:8443"],
    ],
    [
      "script-src cdn.example",
      violation("script-src-elem", "https://shop.example/a.js"),
      ["script-src cdn.example 'self'"],
    ],
    [
      "script-src-elem cdn.example; script-src 'none'",
      violation("script-src-elem", "https://a.example/a.js"),
      ["script-src-elem cdn.example https://a.example; script-src 'none'"],
    ],
    [
      "connect-src 'self'",
      violation("connect-src", "wss://live.example/s"),
      ["connect-src 'self' wss://live.example"],
    ],
    ["img-src 'self'", violation("img-src", "data"), ["img-src 'self' data:"]],
    ["script-src 'self'", violation("script-src-elem", "data"), ["script-src 'self'", "no-scheme"]],
    ["img-src 'self'", violation("img-src", "chrome-extension"), ["img-src 'self'", "no-scheme"]],
    [
      "script-src 'self'",
      violation("script-src-elem", "inline"),
      ["script-src 'self'", "nonce-or-hash"],
    ],
    [
      "script-src 'self'",
      violation("script-src-attr", "inline"),
      ["script-src 'self'", "no-handler"],
    ],
    [
      "style-src 'self'",
      violation("style-src-attr", "inline"),
      ["style-src 'self'", "no-style-attribute"],
    ],
    ["script-src 'self'", violation("script-src", "eval"), ["script-src 'self'", "no-eval"]],
    [
      "script-src 'self'",
      violation("script-src", "wasm-eval"),
      ["script-src 'self'", "wasm-unsafe-eval"],
    ],
    [
      "frame-ancestors 'none'",
      violation("frame-ancestors", "https://a.example/"),
      ["frame-ancestors 'none'", "manual"],
    ],
    ["img-src *", violation("img-src", "https://a.example/"), ["img-src *"]],
    [
      "img-src 'self', default-src *",
      violation("img-src", "https://a.example/"),
      ["img-src 'self' https://a.example", "default-src *"],
    ],
  ])("extends %s for %o", (policy, reported, expected) => {
    expect(extend(policy, reported)).toEqual(expected);
  });

  it("adds a source to the violated directive only", () => {
    expect(
      extend(
        "default-src 'self'",
        violation("script-src-elem", "https://cdn.example/a.js"),
        violation("worker-src", "blob"),
      ),
    ).toEqual([
      "default-src 'self'; script-src 'self' https://cdn.example; worker-src 'self' blob:",
    ]);
  });

  it("lists each added source once with its number of violations", () => {
    const { additions } = extendPolicies(parse("default-src 'none'"), [
      violation("img-src", "https://a.example/1.png"),
      violation("img-src", "https://b.example/1.png"),
      violation("img-src", "https://b.example/2.png"),
    ]);
    expect(additions).toEqual([
      { directive: "img-src", source: "https://b.example", violationCount: 2 },
      { directive: "img-src", source: "https://a.example", violationCount: 1 },
    ]);
  });
});

describe("for any policies and violations", () => {
  const word = fc.constantFrom(
    ..."default-src img-src script-src script-src-elem style-src worker-src frame-ancestors ; , 'self' 'none' * data: https: cdn.example *.example:* 'nonce-a' 'sha256-A=' 'unsafe-inline' 'strict-dynamic' Content-Security-Policy: nonsense".split(
      " ",
    ),
  );
  const text = fc.oneof(
    fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" ")),
    fc.string({ unit: "binary", maxLength: 200 }),
  );
  const reported = fc.record({
    directive: fc.oneof(
      fc.constantFrom("img-src", "script-src-elem", "style-src-attr", "worker-src", "default-src"),
      fc.string(),
    ),
    blockedUri: fc.oneof(
      fc.constantFrom("inline", "eval", "data", "https://cdn.example/a", "wss://a.example:81/"),
      fc.webUrl(),
      fc.string({ unit: "binary" }),
    ),
    pageUrl: fc.oneof(fc.constant(PAGE), fc.string()),
  });

  it("a serialized policy parses to the same policy", () => {
    fc.assert(
      fc.property(text, (pasted) => {
        const result = parsePolicies(pasted);
        if (!result.ok) return;
        const again = parsePolicies(result.value.policies.map(serializePolicy).join(", "));
        expect(again.ok && again.value.policies).toEqual(result.value.policies);
      }),
    );
  });

  it("extended policies block only what they list and still allow what was allowed", () => {
    fc.assert(
      fc.property(text, fc.array(reported, { maxLength: 8 }), (pasted, violations) => {
        const result = parsePolicies(pasted);
        if (!result.ok) return;
        const { policies } = result.value;
        const extended = extendPolicies(policies, violations);
        const left = new Set<unknown>(extended.stillBlocked.map(({ violation }) => violation));
        for (const violation of violations) {
          const before = evaluatePolicies(policies, violation).verdict;
          const after = evaluatePolicies(extended.policies, violation).verdict;
          if (after === "blocked") expect(left).toContain(violation);
          if (before === "allowed") expect(after).toBe("allowed");
        }
      }),
    );
  });
});
