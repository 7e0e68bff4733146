/**
 * Patterns of tokens by the prefixes that their issuers document. Every pattern is linear for any
 * text: its prefix is fixed, and the rest is one run of word characters.
 */
import { OWN_SECRET_PATTERNS } from "./own-secrets.ts";
import { LONG_WORD, type SecretPattern } from "./secret-pattern.ts";

function token(hint: string | RegExp, pattern: RegExp): SecretPattern {
  return { gate: LONG_WORD, hint, pattern };
}

/** Patterns of tokens. The comments name the issuers. */
export const TOKEN_PATTERNS: readonly SecretPattern[] = [
  ...Object.values(OWN_SECRET_PATTERNS),
  // Age
  token("AGE-SECRET-KEY-1", /\bAGE-SECRET-KEY-1[A-Z\d]{50,70}/g),
  // AI providers
  token("sk-", /\bsk-[\w-]{20,}/g),
  token("gsk_", /\bgsk_[A-Za-z\d]{30,}/g),
  token("pplx-", /\bpplx-[A-Za-z\d]{32,}/g),
  // AWS
  token(/A(?:KIA|SIA|ROA|IDA)/, /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z\d]{16}\b/g),
  // Cloudflare
  token(/cf(?:k|ut|at)_/, /\b(?:cfk|cfut|cfat)_[A-Za-z\d]{40,}/g),
  // Databricks
  token("dapi", /\bdapi[a-f\d]{32}(?![A-Za-z\d])/g),
  // DigitalOcean
  token("_v1_", /\bdo[opr]_v1_[a-f\d]{40,}/g),
  // Discord
  token(
    "/webhooks/",
    /\bdiscord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{1,20}\/(?<secret>[\w-]{20,})/g,
  ),
  // Doppler
  token("dp.", /\bdp\.(?:st|pt|ct|sa|scim|audit)\.(?:[\w-]{1,40}\.)?[A-Za-z\d]{40,}/g),
  // Firebase Cloud Messaging: server keys
  token(":APA91", /\bAAAA[\w-]{7}:APA91[\w-]{100,}/g),
  // Figma
  token("figd_", /\bfigd_[\w-]{20,}/g),
  // GitHub, GitLab
  token(/gh[opsur]_/, /\bgh[opsur]_[A-Za-z\d]{30,}/g),
  token("github_pat_", /\bgithub_pat_\w{22,}/g),
  token("glpat-", /\bglpat-[\w-]{20,}/g),
  // Google: API keys, client secrets, access tokens
  token("AIza", /\bAIza[\w-]{35}/g),
  token("GOCSPX-", /\bGOCSPX-[\w-]{20,}/g),
  token("ya29.", /\bya29\.[\w-]{20,}/g),
  // HashiCorp Vault
  token("hv", /\bhv[sbr]\.[\w-]{20,}/g),
  // Hugging Face
  token("hf_", /\bhf_[A-Za-z\d]{30,}/g),
  // Linear
  token("lin_", /\blin_(?:api|oauth)_[A-Za-z\d]{32,}/g),
  // Mailgun
  token("key-", /(?<![\w-])key-[a-f\d]{32}(?![\w-])/g),
  // npm, PyPI
  token("npm_", /\bnpm_[A-Za-z\d]{30,}/g),
  token("pypi-", /\bpypi-[\w-]{40,}/g),
  // PlanetScale
  token("pscale_", /\bpscale_(?:pw|tkn|oauth)_[\w.-]{30,}/g),
  // Resend
  token("re_", /\bre_[A-Za-z\d]{6,12}_[A-Za-z\d]{20,}/g),
  // SendGrid
  token("SG.", /\bSG\.[\w-]{16,}\.[\w-]{16,}/g),
  // Sentry: tokens of users. Those of organizations have the form of upload tokens.
  token("sntryu_", /\bsntryu_[a-f\d]{64}/g),
  // Shopify
  token("shp", /\bshp(?:at|ca|pa|ss)_[A-Fa-f\d]{32,}/g),
  // Slack
  token("xox", /\bxox[abceoprs](?:\.xox[bp])?-[\w-]{10,}/g),
  // Square
  token("sq0", /\bsq0[a-z]{3}-[\w-]{20,}/g),
  // Stripe
  token(/(?:live|test)_/, /\b(?:sk|rk)_(?:live|test)_[A-Za-z\d]{10,}/g),
  // Supabase
  token("sbp_", /\bsbp_[a-f\d]{40}(?![A-Za-z\d])/g),
  token("sb_secret_", /\bsb_secret_[\w-]{20,}/g),
  // Telegram: a bot's number and its secret, also in `/bot123456:AA…/sendMessage`
  token(":AA", /(?<!\d)\d{6,12}:AA[\w-]{33}(?![\w-])/g),
  // Twilio
  token("SK", /\bSK[a-f\d]{32}(?![A-Za-z\d])/g),
];
