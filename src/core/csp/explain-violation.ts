/** Explains one CSP violation: what the policy of the page allows, and what the page asked for. */
import { asText } from "../decode/as-type.ts";
import type { Report } from "../report.ts";
import { findEffectiveDirective } from "./directives.ts";
import { type CspViolation, evaluatePolicy, parseBlockedUri } from "./evaluate-policies.ts";
import { extendPolicies } from "./extend-policy.ts";
import { parsePolicies, serializePolicy } from "./parse-policies.ts";

/** The parts of a sentence. */
export interface ViolationExplanation {
  /** The path of the page; absent if the browser did not name it. */
  readonly page?: string;
  /** `load scripts from`. */
  readonly action: string;
  /** The sources that the policy allows; empty for none, absent if the policy is unknown. */
  readonly allowed?: readonly string[];
  /** The URL that was blocked; absent for code within the page. */
  readonly url?: string;
  /** `contains an inline script`: instead of a URL. */
  readonly inline?: string;
  readonly isReportOnly: boolean;
  /** The page's policy, with the narrowest source that would allow the URL if there is one. */
  readonly policy?: string;
}

/** The explanation of a report of kind `csp`. */
export function explainViolation(report: Report): ViolationExplanation {
  const detail: Readonly<Record<string, unknown>> =
    typeof report.detail === "object" && report.detail !== null ? { ...report.detail } : {};
  const { type: directive, blockedUri = "something", request } = report;
  const violation = { directive, blockedUri, pageUrl: request?.url };
  const resource = parseBlockedUri(blockedUri);
  const policyText = asText(detail.originalPolicy ?? detail["original-policy"]);
  return {
    page: toPath(request?.url),
    action: ACTIONS.find(([pattern]) => pattern.test(directive))?.[1] ?? `use ${directive} of`,
    ...explainPolicy(policyText, violation),
    url: resource.kind === "url" ? blockedUri : undefined,
    inline: resource.kind === "url" ? undefined : describeInline(blockedUri, directive),
    isReportOnly: report.level === "warning",
  };
}

const ACTIONS: readonly (readonly [RegExp, string])[] = [
  [/^script-src-attr$/, "run event handlers of"],
  [/^script-src/, "load scripts from"],
  [/^style-src/, "load styles from"],
  [/^img-src$/, "load images from"],
  [/^font-src$/, "load fonts from"],
  [/^media-src$/, "load media from"],
  [/^object-src$/, "load plugins from"],
  [/^worker-src$/, "start workers from"],
  [/^manifest-src$/, "load a manifest from"],
  [/^connect-src$/, "connect to"],
  [/^(?:fenced-)?frame-src$|^child-src$/, "embed"],
  [/^frame-ancestors$/, "be embedded by"],
  [/^form-action$/, "send forms to"],
  [/^base-uri$/, "take its base URL from"],
  [/^navigate-to$/, "navigate to"],
  [/^default-src$/, "load anything from"],
];

function explainPolicy(
  text: string | undefined,
  violation: CspViolation,
): Pick<ViolationExplanation, "allowed" | "policy"> {
  // A truncated policy ends with an ellipsis and would allow less.
  const parsed = text === undefined || text.endsWith("…") ? undefined : parsePolicies(text);
  if (!parsed?.ok) return {};
  const { policies } = parsed.value;
  const blocking = policies.find((one) => evaluatePolicy(one, violation).verdict === "blocked");
  const directive =
    blocking === undefined ? undefined : findEffectiveDirective(blocking, violation.directive);
  return {
    allowed: directive?.values.filter((value) => value.toLowerCase() !== "'none'"),
    policy: extendPolicies(policies, [violation]).policies.map(serializePolicy).join(", "),
  };
}

/** Browsers name the kind of code instead of a URL. */
function describeInline(blockedUri: string, directive: string): string {
  if (/eval/.test(blockedUri)) return "called eval";
  if (/trusted-types/.test(blockedUri)) return "assigned text to a sink of markup or code";
  if (directive === "script-src-attr") return "contains an inline event handler";
  if (directive === "style-src-attr") return "contains a style attribute";
  if (directive.startsWith("style")) return "contains an inline style";
  return directive.startsWith("script") || directive === "default-src"
    ? "contains an inline script"
    : `asked for ${blockedUri}`;
}

function toPath(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).pathname : undefined;
}
