/**
 * Signs and verifies page tokens with WebCrypto. A key is imported once per isolate, since a
 * signature with an imported key costs a third.
 */

import { listServerKeyHashes } from "../core/accounts/ingest-keys.ts";
import { FIRST_PROJECT_ID } from "../core/accounts/registry.ts";
import { MemoCache } from "../core/memo-cache.ts";
import type { AccountStore } from "../core/ports/accounts-port.ts";
import { fail, ok, type Result } from "../core/result.ts";
import {
  decodePageToken,
  encodePageToken,
  getTokenAge,
  hasSignature,
  type PageToken,
  type PageTokenAge,
  type TokenScope,
  toClaimBytes,
  toKeyId,
  toPageId,
  toSignedBytes,
  toTokenMinutes,
} from "../core/trust/page-token-format.ts";

export interface SignedPage {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  readonly origin: string;
  /** Opened by a person who is not a member, so the token raises the trust of no report. */
  readonly isForVisitor?: boolean;
}

/** Facts about a page that a valid token proves. */
interface VerifiedPage extends Pick<PageToken, "pageId"> {
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
    async sign({ traceId, origin, isForVisitor = false }) {
      if (configuredKeyHash === undefined) return undefined;
      const claims = toClaimBytes({
        isShared: false,
        isOwn: true,
        isForVisitor,
        keyId: toKeyId(configuredKeyHash),
        minutes: toTokenMinutes(nowMs()),
        pageId: toPageId(traceId),
      });
      const scope = { project: FIRST_PROJECT_ID, origin };
      const signature = await computeHmac(configuredKeyHash, toSignedBytes(claims, scope));
      return encodePageToken(claims, new Uint8Array(signature));
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
      const { pageId, isOwn = false, isForVisitor = false } = token;
      return ok({ pageId, isOwn, raisesTrust: !isForVisitor });
    },
  };
}

async function isSignedBy(
  keyHashes: readonly string[],
  token: PageToken,
  scope: TokenScope,
): Promise<boolean> {
  const bytes = toSignedBytes(token.claimBytes, scope);
  for (const keyHash of keyHashes) {
    if (toKeyId(keyHash) !== token.keyId) continue;
    const signature = new Uint8Array(await computeHmac(keyHash, bytes));
    if (hasSignature(token, signature)) return true;
  }
  return false;
}

const HMAC = { name: "HMAC", hash: "SHA-256" } as const;

/** Keys, not promises of keys: workerd resolves a promise only for the request that created it. */
const importedKeys = new MemoCache<CryptoKey>();

function computeHmac(keyHash: string, bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const key = importedKeys.get(keyHash);
  const sign = (imported: CryptoKey) => crypto.subtle.sign(HMAC.name, imported, bytes);
  return key === undefined ? importHmacKey(keyHash).then(sign) : sign(key);
}

async function importHmacKey(keyHash: string): Promise<CryptoKey> {
  const bytes = Uint8Array.from(keyHash.match(/../g) ?? [], (digits) => Number(`0x${digits}`));
  const key = await crypto.subtle.importKey("raw", bytes, HMAC, false, ["sign"]);
  importedKeys.set(keyHash, key);
  return key;
}
