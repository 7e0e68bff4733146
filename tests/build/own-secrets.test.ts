// Every secret that Errata shows is removed from reports. The places that make random or signed
// values are read from the code, so that a new one needs an entry here: which of the secrets it
// makes, or why its values are none.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { signValue } from "#src/auth/signed-value.ts";
import { createRecoveryCodes } from "#src/core/accounts/recovery-code.ts";
import { formatUploadToken } from "#src/core/accounts/upload-token.ts";
import { formatWebhookSecret } from "#src/core/alerts/destinations/webhook.ts";
import {
  CHALLENGE_COOKIE,
  CODE_PREFIX,
  DEVICE_CODE_PREFIX,
  OWN_SECRET_PATTERNS,
  type OwnSecret,
  PAGE_TOKEN_PARAMETER,
  REFRESH_TOKEN_PREFIX,
  SERVER_KEY_PREFIX,
  SESSION_COOKIE,
  TOKEN_PREFIX,
  toSignInLink,
} from "#src/core/scrubbing/own-secrets.ts";
import { scrubReport } from "#src/core/scrubbing/scrub.ts";
import { encodePageToken } from "#src/core/trust/page-token-format.ts";
import {
  createActionPath,
  createConfirmationPath,
  createVisitorLink,
} from "#src/store/alerts/action-links.ts";
import { toFeedUrl } from "#src/ui/urls/alert-urls.ts";
import { emptyParsedReport } from "#support/reports/reports.ts";
import { makeLink } from "../../.tools/deploy/sign-in-link.ts";
import { makeUploadToken } from "../../.tools/deploy/upload-maps.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const ORIGIN = "https://errata.example";
const hash = (text: string) => createHash("sha256").update(text).digest("hex");
/** As `newSecret` returns it: 256 bits in base64url. */
const newSecret = () => createHash("sha256").update("a secret").digest("base64url");
const key = { project: "1", actionKey: newSecret() };
const code = newSecret();

/** Samples of each kind, as their makers return them; the part that must not remain. */
const SAMPLES: Readonly<Record<OwnSecret, readonly (readonly [text: string, secret: string])[]>> = {
  token: [
    [TOKEN_PREFIX + code, code],
    [REFRESH_TOKEN_PREFIX + code, code],
    [CODE_PREFIX + code, code],
    [DEVICE_CODE_PREFIX + code, code],
    [TOKEN_PREFIX + signValue("access-token", hash(code), code).replace(".", ""), hash(code)],
    [SERVER_KEY_PREFIX + hash(code).slice(0, 32), hash(code).slice(0, 32)],
  ],
  "upload-token": [
    [formatUploadToken({ origin: ORIGIN, nowMs: 0, secret: code }), code.slice(-20)],
    toWholeSample(makeUploadToken(0).token),
  ],
  "webhook-secret": [[formatWebhookSecret(Buffer.from(hash(code), "hex")), "whsec_"]],
  "sign-in-link": [
    [toSignInLink(ORIGIN, code), code],
    toSignInSample(makeLink(0).at(ORIGIN)),
    [`${ORIGIN}/sign-in?again=1&returnTo=%2Fprofile#${code}`, code],
  ],
  "recovery-code": createRecoveryCodes({ newSecret, hash }).map((one) => [one, one]),
  feed: [
    [`${ORIGIN}${toFeedUrl(hash(code).slice(0, 32))}`, hash(code).slice(0, 32)],
    [`/p/2${toFeedUrl(hash(code).slice(0, 32))}`, hash(code).slice(0, 32)],
  ],
  "action-link": [[createActionPath(key, "resolve", "7F3K-Q2M9", 0), "signature"]].map(([text]) =>
    toSigned(text ?? ""),
  ),
  "email-confirmation": [toSigned(createConfirmationPath(key, "ada@example.com", 0))],
  "visitor-link": [
    [createVisitorLink(`${ORIGIN}/e/7F3K-Q2M9`, code.slice(0, 22)), code.slice(0, 22)],
  ],
  "page-token": [
    [`${ORIGIN}/monitoring?${PAGE_TOKEN_PARAMETER}=${createPageToken()}`, createPageToken()],
    [JSON.stringify({ token: createPageToken() }), createPageToken()],
    [`/monitoring?${PAGE_TOKEN_PARAMETER}=${createPageToken(18)}`, createPageToken(18)],
    [JSON.stringify({ token: createPageToken(18) }), createPageToken(18)],
  ],
  cookie: [
    [`${SESSION_COOKIE}=${signValue("session", code, "s")}`, code],
    [`__Host-${CHALLENGE_COOKIE}=${signValue("sign-in", `${code}.123`, "s")}`, code],
  ],
};

function toWholeSample(text: string): readonly [string, string] {
  return [text, text];
}

function toSigned(path: string): readonly [string, string] {
  return [`${ORIGIN}${path}`, /signature=([\w-]+)/.exec(path)?.[1] ?? ""];
}

function toSignInSample(link: string): readonly [string, string] {
  return [link, link.slice(link.indexOf("#") + 1)];
}

/** With 18 bytes, a token with a policy. */
function createPageToken(claimBytes = 14): string {
  return encodePageToken(new Uint8Array(claimBytes).fill(16), new Uint8Array(12).fill(255));
}

describe.each(Object.entries(SAMPLES))("%s", (_, samples) => {
  it.each(samples)("is removed wherever it is: %s", (text, secret) => {
    const report = {
      ...emptyParsedReport,
      message: `failed at ${text} today`,
      request: { url: `https://shop.example/?next=${encodeURIComponent(text)}` },
      breadcrumbs: [{ message: text }],
      detail: { list: [text], [`see ${text}`.slice(0, 4)]: JSON.stringify({ text }) },
    };
    const { value, scrubbedCount } = scrubReport(report as typeof emptyParsedReport);
    expect(JSON.stringify(value)).not.toContain(secret);
    expect(decodeURIComponent(JSON.stringify(value.request))).not.toContain(secret);
    expect(scrubbedCount).toBeGreaterThanOrEqual(5);
  });
});

it("every kind has a pattern and samples", () => {
  expect(Object.keys(SAMPLES).sort()).toEqual(Object.keys(OWN_SECRET_PATTERNS).sort());
});

/** Random or signed values in the code, by file. */
const MAKERS: Readonly<Record<string, readonly OwnSecret[] | string>> = {
  ".tools/deploy/sign-in-link.ts": ["sign-in-link"],
  ".tools/deploy/upload-maps.ts": ["upload-token"],
  "src/adapters/failure-answer.ts": "nonces of notices",
  "src/adapters/page-facts.ts": "ids of traces",
  "src/adapters/server.ts": "ids of reports",
  "src/auth/page-token-hmac.ts": ["page-token"],
  "src/auth/passkeys/passkey-options.ts": ["cookie"],
  "src/auth/signed-value.ts": ["cookie"],
  "src/cli/api-client.ts": "ids of changes that are sent again",
  "src/client/reporter.ts": "ids of reports",
  "src/core/accounts/define-change.ts": "ids of entries",
  "src/core/accounts/key-changes.ts": ["token"],
  "src/core/accounts/member-changes.ts": ["sign-in-link"],
  "src/core/accounts/recovery-code.ts": ["recovery-code"],
  "src/core/accounts/sign-in-changes.ts": ["cookie"],
  "src/core/accounts/token-changes.ts": ["token", "upload-token"],
  "src/core/processing/process-report.ts": "ids of reports",
  "src/front/failure-report.ts": "ids of reports",
  "src/http/auth/access-token.ts": ["token"],
  "src/http/desk/alerts/change-alert-settings.ts": ["webhook-secret"],
  "src/http/desk/alerts/inbox.tsx": "ids of destinations",
  "src/http/ingest/account-reports.ts": "ids of reports",
  "src/http/forms/respond.ts": "ids that undo nothing without the role of a member",
  "src/http/desk/setup/sample.ts": "the seed of sample data",
  "src/http/report-own-failures.ts": "trace ids",
  "src/http/send-page.tsx": ["page-token"],
  "src/operations/alert-changes.ts": ["feed"],
  "src/operations/operation.ts":
    "ids of comments, and ids that undo nothing without the role of a member",
  // Codes and refresh tokens begin as tokens do. A user code is of use for ten minutes.
  "src/store/accounts/authorization-server.ts": ["token"],
  "src/store/accounts/registry-object.ts": "the source of the secrets of `core/accounts`",
  "src/store/alerts/action-links.ts": ["action-link", "email-confirmation"],
  "src/store/alerts/alert-sender.ts": "ids of tests",
  "src/store/alerts/secrets/secret-box.ts": "the key of stored secrets, and nonces",
  "src/store/alerts/send/deliver.ts": "a signature for a receiver",
  "src/store/alerts/send/push-request.ts":
    "keys of one message, and a signature for a push service",
  "src/store/alerts/sender-parts.ts": "ids of alerts",
  "src/store/alerts/sender-settings.ts": "the key of action links, which is never shown",
  "src/store/alerts/trackers/tracker-desk.ts": ["webhook-secret"],
  "src/store/alerts/trackers/verify-hook.ts": "a key that no signature has",
  "src/store/alerts/visitor-requests.ts": ["visitor-link"],
  "src/store/artifacts/source-maps.ts": "names of records",
  "src/store/client/spool.ts": "names of records",
  "src/store/index/row-receiver.ts": "the id of a run",
  "src/worker.ts": "nonces, and the source of ids",
};

const MAKER =
  /\b(?:newSecret\(|newId\(|randomBytes\(|getRandomValues\(|randomUUID\(|createHmac\(|subtle\.sign\()/;

it("every place that makes a random or signed value is known", () => {
  const listed = execFileSync(
    "git",
    ["ls-files", "-co", "--exclude-standard", "src", ".tools/deploy"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  const files = listed.split("\n").filter((file) => /\.tsx?$/.test(file));
  const isMaker = (file: string) => {
    const code = readFileSync(`${root}/${file}`, "utf8").replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
    return MAKER.test(code);
  };
  expect(files.filter(isMaker).sort()).toEqual(Object.keys(MAKERS).sort());
  const made = Object.values(MAKERS).flatMap((kinds) => (typeof kinds === "string" ? [] : kinds));
  expect([...new Set(made)].sort()).toEqual(Object.keys(OWN_SECRET_PATTERNS).sort());
});
