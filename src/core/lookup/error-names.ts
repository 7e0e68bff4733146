/**
 * Names of errors that browsers, Cloudflare and React show in place of a page, with their meaning
 * and the query of the reports that other mechanisms sent about them. Pure.
 */

import type { CodeStory } from "./foreign-formats.ts";

/** A named error in pasted text. */
export interface ErrorName {
  /** `ERR_CONNECTION_REFUSED`, `1101`, `418`. */
  readonly name: string;
  readonly owner: string;
  readonly meaning: string;
  /** An issue query for reports about it. */
  readonly query?: string | undefined;
  readonly command?: string | undefined;
}

/**
 * Errors of Chromium by the type under which its Network Error Logging reports them.
 * Source: net/network_error_logging/network_error_logging_service.cc;
 * w3.org/TR/network-error-logging.
 */
const CHROME: Readonly<Record<string, string>> = {
  ERR_NAME_NOT_RESOLVED: "dns.name_not_resolved",
  ERR_NAME_RESOLUTION_FAILED: "dns.failed",
  ERR_DNS_TIMED_OUT: "dns.unreachable",
  DNS_PROBE_FINISHED_NXDOMAIN: "dns.name_not_resolved",
  DNS_PROBE_FINISHED_NO_INTERNET: "dns.unreachable",
  DNS_PROBE_STARTED: "dns.unreachable",
  ERR_TIMED_OUT: "tcp.timed_out",
  ERR_SPDY_PROTOCOL_ERROR: "h2.protocol.error",
  ERR_CONNECTION_TIMED_OUT: "tcp.timed_out",
  ERR_CONNECTION_CLOSED: "tcp.closed",
  ERR_CONNECTION_RESET: "tcp.reset",
  ERR_CONNECTION_REFUSED: "tcp.refused",
  ERR_CONNECTION_ABORTED: "tcp.aborted",
  ERR_ADDRESS_INVALID: "tcp.address_invalid",
  ERR_ADDRESS_UNREACHABLE: "tcp.address_unreachable",
  ERR_CONNECTION_FAILED: "tcp.failed",
  ERR_SSL_VERSION_OR_CIPHER_MISMATCH: "tls.version_or_cipher_mismatch",
  ERR_BAD_SSL_CLIENT_AUTH_CERT: "tls.bad_client_auth_cert",
  ERR_CERT_COMMON_NAME_INVALID: "tls.cert.name_invalid",
  ERR_CERT_DATE_INVALID: "tls.cert.date_invalid",
  ERR_CERT_AUTHORITY_INVALID: "tls.cert.authority_invalid",
  ERR_CERT_INVALID: "tls.cert.invalid",
  ERR_CERT_REVOKED: "tls.cert.revoked",
  ERR_SSL_PINNED_KEY_NOT_IN_CERT_CHAIN: "tls.cert.pinned_key_not_in_cert_chain",
  ERR_SSL_PROTOCOL_ERROR: "tls.protocol.error",
  ERR_HTTP2_PING_FAILED: "h2.ping_failed",
  ERR_HTTP2_PROTOCOL_ERROR: "h2.protocol.error",
  ERR_QUIC_PROTOCOL_ERROR: "h3.protocol.error",
  ERR_TOO_MANY_REDIRECTS: "http.response.redirect_loop",
  ERR_INVALID_RESPONSE: "http.response.invalid",
  ERR_INVALID_HTTP_RESPONSE: "http.response.invalid",
  ERR_EMPTY_RESPONSE: "http.response.invalid.empty",
  ERR_ABORTED: "abandoned",
};

/**
 * Errors of Firefox by the same types. Firefox does not send them: reports of other browsers do.
 * Source: support.mozilla.org › error codes; xpcom/base/ErrorList.py; NSS error codes.
 */
const FIREFOX: Readonly<Record<string, string>> = {
  NS_ERROR_UNKNOWN_HOST: "dns.name_not_resolved",
  NS_ERROR_CONNECTION_REFUSED: "tcp.refused",
  NS_ERROR_NET_TIMEOUT: "tcp.timed_out",
  NS_ERROR_NET_RESET: "tcp.reset",
  NS_ERROR_NET_INTERRUPT: "tcp.closed",
  NS_ERROR_REDIRECT_LOOP: "http.response.redirect_loop",
  NS_ERROR_NET_HTTP2_SENT_GOAWAY: "h2.protocol.error",
  PR_CONNECT_RESET_ERROR: "tcp.reset",
  PR_END_OF_FILE_ERROR: "tcp.closed",
  SSL_ERROR_NO_CYPHER_OVERLAP: "tls.version_or_cipher_mismatch",
  SSL_ERROR_UNSUPPORTED_VERSION: "tls.version_or_cipher_mismatch",
  SSL_ERROR_RX_RECORD_TOO_LONG: "tls.protocol.error",
  SSL_ERROR_BAD_CERT_DOMAIN: "tls.cert.name_invalid",
  SEC_ERROR_EXPIRED_CERTIFICATE: "tls.cert.date_invalid",
  SEC_ERROR_EXPIRED_ISSUER_CERTIFICATE: "tls.cert.date_invalid",
  MOZILLA_PKIX_ERROR_NOT_YET_VALID_CERTIFICATE: "tls.cert.date_invalid",
  MOZILLA_PKIX_ERROR_NOT_YET_VALID_ISSUER_CERTIFICATE: "tls.cert.date_invalid",
  SEC_ERROR_UNKNOWN_ISSUER: "tls.cert.authority_invalid",
  SEC_ERROR_REVOKED_CERTIFICATE: "tls.cert.revoked",
  MOZILLA_PKIX_ERROR_SELF_SIGNED_CERT: "tls.cert.authority_invalid",
  MOZILLA_PKIX_ERROR_KEY_PINNING_FAILURE: "tls.cert.pinned_key_not_in_cert_chain",
};

/**
 * Source: developers.cloudflare.com/support/troubleshooting/http-status-codes, workers › errors.
 */
const CLOUDFLARE: Readonly<Record<string, string>> = {
  520: "The origin sent an empty or unexpected response.",
  521: "The origin refused the connection.",
  522: "The connection to the origin timed out.",
  523: "The origin is unreachable.",
  524: "The origin was connected but did not respond in time.",
  525: "The TLS handshake with the origin failed.",
  526: "The certificate of the origin is invalid.",
  530: "See the 1xxx error that the page also shows.",
  1000: "The DNS record points to a forbidden address.",
  1001: "The host name could not be resolved.",
  1015: "The visitor is rate limited.",
  1016: "The address of the origin could not be resolved.",
  1020: "A firewall rule blocked the visitor.",
  1027: "The Worker is over the daily limit of free requests.",
  1033: "The tunnel has no healthy connector.",
  1101: "The Worker threw an exception that nothing caught.",
  1102: "The Worker exceeded its limit of CPU time or memory.",
  1104: "The Worker’s script could not be loaded.",
};

const NAMES =
  /(?<![A-Za-z\d])((?:ERR|DNS_PROBE|NS_ERROR|PR|SSL_ERROR|SEC_ERROR|MOZILLA_PKIX_ERROR)_[A-Z\d_]{3,50}[A-Z\d])/gi;
const CLOUDFLARE_CODE =
  /\b(?:Cloudflare[ \w]{0,20}|error(?: code)?[: ]{1,3}|code[: ]{1,3})(52\d|530|1\d{3})\b/gi;
const REACT_CODE =
  /\bReact[ -]?\p{L}{0,12}[ -]{0,2}#?(\d{1,4})\b|(?:react\.dev\/errors\/|error-decoder\.html\?invariant=)(\d{1,4})\b/giu;
const WORKER_CODES = /^(?:1101|1102|1104|1027)$/;

/** The named errors in text, each once. */
export function findErrorNames(text: string): readonly ErrorName[] {
  const names = new Map<string, ErrorName>();
  const add = (name: ErrorName) => names.set(name.name, name);
  // A page breaks a long name, and people type it with spaces.
  const written = text.replace(/\b(ERR(?:OR)?|DNS)((?:[ _\n]{1,2}[A-Z\d]{2,12}){2,4})/gi, (whole) =>
    whole.replace(/[ _\n]+/g, "_"),
  );
  for (const [, found = ""] of `${text}\n${written}`.matchAll(NAMES)) {
    const name = found.toUpperCase();
    const [owner, type] =
      CHROME[name] === undefined ? ["Firefox", FIREFOX[name]] : ["Chrome", CHROME[name]];
    if (type === undefined) continue;
    const meaning = `The browser could not load the page. Browsers with Network Error Logging report it as ${type}.`;
    add({ name, owner, meaning, query: `kind:network type:${type}` });
  }
  for (const [, name = ""] of text.matchAll(CLOUDFLARE_CODE)) {
    const meaning = CLOUDFLARE[name];
    const command = WORKER_CODES.test(name)
      ? "npx wrangler tail <worker> --status error --format json"
      : undefined;
    if (meaning !== undefined) add({ name, owner: "Cloudflare", meaning, command });
  }
  for (const [, ofName, name = ofName ?? ""] of text.matchAll(REACT_CODE)) {
    const meaning = `The text of this error is at https://react.dev/errors/${name}.`;
    add({ name: `#${name}`, owner: "React", meaning, query: `"Minified React error #${name}"` });
  }
  return [...names.values()].slice(0, MAX_NAMES);
}

const MAX_NAMES = 3;

/** What to tell about a named error. */
export function describeErrorName({ name, owner, meaning, command }: ErrorName): CodeStory {
  return { owner, what: "error", code: name, places: [], note: meaning, command };
}
