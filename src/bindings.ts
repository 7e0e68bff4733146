/**
 * The bindings of `wrangler.toml` and the optional variables. Those of the Durable Objects are in
 * `store/objects.ts`.
 */
export interface Bindings {
  readonly KV: KVNamespace;
  readonly ADDRESS_LIMIT: RateLimit;
  readonly KEY_LIMIT: RateLimit;
  readonly GLOBAL_LIMIT: RateLimit;
  readonly RECEIPT_LIMIT: RateLimit;
  readonly SIGN_IN_LIMIT: RateLimit;
  readonly ADDRESS_SITE_LIMIT: RateLimit;
  readonly RECEIPT_SITE_LIMIT: RateLimit;
  readonly SIGN_IN_SITE_LIMIT: RateLimit;
  readonly KEY_LIMIT_60: RateLimit;
  readonly KEY_LIMIT_600: RateLimit;
  readonly KEY_LIMIT_6000: RateLimit;
  readonly PAGE_TOKEN_LIMIT: RateLimit;
  /** The files of the build, which Cloudflare serves itself. */
  readonly ASSETS?: Fetcher;
  readonly API_LIMIT: RateLimit;
  readonly ERRATA_KEY?: string;
  readonly ERRATA_SERVER_KEY?: string;
  readonly ERRATA_PREVIOUS_SERVER_KEY?: string;
  readonly ERRATA_RELEASE?: string;
  readonly ERRATA_ENVIRONMENT?: string;
  readonly ERRATA_RENDER_DEADLINE_MS?: string;
  readonly ERRATA_SCRUB?: string;
  readonly ERRATA_SHARDS?: string;
  readonly ERRATA_KV_WRITES_PER_DAY?: string;
  readonly ERRATA_LOCATION?: string;
  readonly ERRATA_RETENTION_DAYS?: string;
  readonly ERRATA_ACCESS_TEAM?: string;
  readonly ERRATA_ACCESS_AUD?: string;
  readonly ERRATA_ACCESS_OWNER?: string;
  readonly ERRATA_SETUP?: string;
  readonly ERRATA_UPLOAD?: string;
  readonly ERRATA_LOCAL?: string;
  readonly ERRATA_URL?: string;
  readonly ERRATA_ALERT_TARGETS?: string;
  readonly ERRATA_MAIL_FROM?: string;
  /** Cloudflare Email Service, if the deployment has it. */
  readonly EMAIL?: SendEmail;
  /** An R2 bucket for backups, if the deployment has one. */
  readonly BACKUP?: R2Bucket;
}
