/**
 * A violation of a Content Security Policy, whichever of the two formats brought it: one rule for what it is called and how
 * it groups, so that both forms of one violation are one issue.
 * Source: CSP Level 3 § 5 Reporting; dialects of browsers as in tests/formats/csp-report.test.ts.
 */
import { limits } from "../core/limits.ts";
import type { Parsed } from "../core/outcome.ts";
import { present } from "../core/present.ts";
import type { Draft, ReportFormat } from "../core/report.ts";
import { createCuts } from "./cuts.ts";
import { type Fields, textOf } from "./decode.ts";
import { sourceFrames } from "./frames.ts";
import { drafted, invalid } from "./parsed.ts";
import { requestOf } from "./request.ts";
import { originOf, pathOf, withoutQuery } from "./urls.ts";

/** A violation's members, still undecoded, by the names of neither format. */
export interface CspClaims {
  /** `script-src-elem`, or a violated directive's full text. */
  readonly directive: unknown;
  /** A URL, or `inline`, `eval`, `data` …; empty for inline in old browsers. */
  readonly blocked: unknown;
  readonly source: unknown;
  readonly line: unknown;
  readonly column: unknown;
  readonly disposition: unknown;
  readonly document: unknown;
  readonly userAgent?: unknown;
  /** The members as they came. */
  readonly body: Fields;
}

/** What only one of the formats can say. */
export type CspExtras = Pick<Draft, "occurredAtMs" | "sameAbout">;

/** What becomes of one violation. Invalid without a directive. */
export function parseViolation(
  item: string,
  format: ReportFormat,
  claims: CspClaims,
  extras: CspExtras,
): Parsed {
  const cuts = createCuts();
  const text = (value: unknown) => cuts.text("detail", value, limits.maxStringChars);
  // Older browsers send the directive with its sources: `script-src 'self'`.
  const directive = textOf(claims.directive)?.trim().split(/\s/, 1)[0];
  if (directive === undefined || directive === "") {
    return invalid(item, "missing-field", `${item}: an effective or violated directive`);
  }
  const blocked = blockedOf(text(claims.blocked), directive);
  const source = text(claims.source);
  const page = text(claims.document);
  const type = cuts.text("type", directive, limits.maxTypeChars) ?? directive;
  const reportOnly = claims.disposition === "report";
  return drafted(item, {
    kind: "csp",
    side: "browser",
    format,
    type,
    message: `${reportOnly ? "would block" : "blocked"} ${namesOf(blocked, type)}`,
    level: reportOnly ? "warning" : "error",
    frames: sourceFrames(source, claims.line, claims.column),
    blocked,
    fingerprint: ["csp", type, originOf(blocked), sourceKey(source, page)],
    tags: [["disposition", reportOnly ? "report" : "enforce"]],
    ...extras,
    ...present({
      request: requestOf(
        { url: page, route: page && pathOf(page), userAgent: claims.userAgent },
        cuts,
      ),
      detail: cuts.json("detail", claims.body),
      cut: cuts.names(),
    }),
  });
}

/** Old browsers send nothing or `self` for what CSP 3 calls `inline`. */
function blockedOf(sent: string | undefined, directive: string): string {
  if (sent !== undefined && sent !== "self") return sent;
  return /^(?:script|style|default)-src/.test(directive) ? "inline" : "something";
}

/** Never the page's own URL, which some browsers name as the source: the same inline script on every page is one fault. */
function sourceKey(source: string | undefined, page: string | undefined): string {
  const file = withoutQuery(source ?? page ?? "");
  const isPage = source === undefined || file === withoutQuery(page ?? "");
  return isPage ? "the document" : withoutHash(file);
}

/** `app.js` for `app-3f2a1b9c.js` and `app.BkO3ZtDz.js`, so that the issue outlives a build. */
function withoutHash(file: string): string {
  return file.replace(/[.-]([\w-]{8,64})(?=\.\w{1,4}$)/, (part, hash: string) => {
    const isHash = /\d/.test(hash) || (hash.length === 8 && /[a-z][A-Z]/.test(hash));
    return isHash ? "" : part;
  });
}

/** What was blocked, to be read behind "blocked". */
function namesOf(blocked: string, directive: string): string {
  if (blocked !== "inline") return withoutQuery(blocked);
  if (directive === "script-src-attr") return "inline event handler";
  if (directive === "style-src-attr") return "inline style attribute";
  if (directive.startsWith("style")) return "inline style";
  return directive.startsWith("script") || directive === "default-src" ? "inline script" : "inline";
}
