/** Signs the page tokens of Errata's own pages, and verifies those of all projects. */

import { listServerKeyHashes } from "../core/accounts/ingest-keys.ts";
import { FIRST_PROJECT_ID } from "../core/accounts/project-path.ts";
import type { AccountStore } from "../core/ports/accounts-port.ts";
import { fail, ok, type Result } from "../core/result.ts";
import {
  decodePageToken,
  getTokenAge,
  type PageToken,
  type PageTokenAge,
  type TokenScope,
} from "../core/trust/page-token-format.ts";
import { isSignedBy, signPageToken } from "./page-token-hmac.ts";

export interface SignedPage {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  readonly origin: string;
  /** Opened by a person who is not a member, so the token raises the trust of no report. */
  readonly isForVisitor?: boolean;
  /** Of the only policy of the page (`toPolicyHash`). */
  readonly policyHash?: number;
}

/** Facts about a page that a valid token proves. */
interface VerifiedPage extends Pick<PageToken, "pageId" | "policyHash"> {
  /** The page is one of Errata itself. */
  readonly isOwn: boolean;
  /** Reports of the page have trust `page`. */
  readonly raisesTrust: boolean;
}

/** Why a token is invalid. */
interface PageTokenFailure {
  readonly reason: "malformed" | "wrong-signature" | Exclude<PageTokenAge, "current">;
}

/** Page tokens of all projects. */
export interface PageTokens {
  /** A token for a page of Errata itself; undefined without a configured server key. */
  readonly sign: (page: SignedPage) => Promise<string | undefined>;
  /**
   * Verifies a token. Rejects if no configured key has signed it and the registry is unavailable
   * without a copy.
   */
  readonly verify: (
    token: string,
    scope: TokenScope,
  ) => Promise<Result<VerifiedPage, PageTokenFailure>>;
}

/** Keys and clock. Hashes are the SHA-256 of server keys in hexadecimal digits. */
interface PageTokenOptions {
  /** The hash of the first project's configured key. */
  readonly configuredKeyHash?: string | undefined;
  /** The keys of all projects. */
  readonly registry: Pick<AccountStore, "readCopy">;
  readonly nowMs: () => number;
}

/** Creates the service. Errata's own pages report to the first project. */
export function createPageTokens(options: PageTokenOptions): PageTokens {
  const { configuredKeyHash, registry, nowMs } = options;
  return {
    async sign({ origin, ...page }) {
      if (configuredKeyHash === undefined) return undefined;
      const claims = { ...page, isShared: false, isOwn: true, nowMs: nowMs() };
      return signPageToken(configuredKeyHash, claims, { project: FIRST_PROJECT_ID, origin });
    },
    async verify(text, scope) {
      const token = decodePageToken(text);
      if (token === null) return fail({ reason: "malformed" });
      const age = getTokenAge(token, nowMs());
      if (age !== "current") return fail({ reason: age });
      const hasConfiguredKey =
        configuredKeyHash !== undefined && scope.project === FIRST_PROJECT_ID;
      const isSigned =
        (hasConfiguredKey && (await isSignedBy([configuredKeyHash], token, scope))) ||
        (await isSignedBy(
          listServerKeyHashes(await registry.readCopy(), scope.project, nowMs()),
          token,
          scope,
        ));
      if (!isSigned) return fail({ reason: "wrong-signature" });
      const { pageId, policyHash, isOwn = false, isForVisitor = false } = token;
      return ok({ pageId, policyHash, isOwn, raisesTrust: !isForVisitor });
    },
  };
}
