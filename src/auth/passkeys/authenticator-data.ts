/** The authenticator data of a WebAuthn response. Source: WebAuthn Level 3 § 6.1, § 6.5.1. */
import { createHash } from "node:crypto";
import { decodeCbor } from "./decode-cbor.ts";

/** The statements of an authenticator about one use of a passkey. */
export interface AuthenticatorData {
  /** The number of uses; 0 from authenticators that do not count, such as those that sync keys. */
  readonly counter: number;
  /** Whether the passkey can be copied to other devices. */
  readonly isBackupEligible: boolean;
  /** The new passkey in the response to a registration: its id and its COSE key. */
  readonly credential: { readonly id: Uint8Array; readonly publicKey: Uint8Array } | undefined;
}

/** Bits of the flags. */
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const HAS_CREDENTIAL = 0x40;
const HAS_EXTENSIONS = 0x80;

const HASH_BYTES = 32;
const FLAGS_OFFSET = HASH_BYTES;
const COUNTER_OFFSET = FLAGS_OFFSET + 1;
const CREDENTIAL_OFFSET = COUNTER_OFFSET + 4;
const MODEL_ID_BYTES = 16;

/**
 * Parses and checks the data: it is about `hostname`, and the authenticator verified a present
 * user. Throws if a check fails or the bytes are malformed.
 */
export function parseAuthenticatorData(bytes: Uint8Array, hostname: string): AuthenticatorData {
  const hash = createHash("sha256").update(hostname).digest();
  if (!hash.equals(bytes.subarray(0, HASH_BYTES))) throw new Error("Data about another host");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flags = view.getUint8(FLAGS_OFFSET);
  const has = (bits: number) => (flags & bits) === bits;
  if (!has(USER_PRESENT | USER_VERIFIED)) throw new Error("The user was not verified");
  if (has(BACKED_UP) && !has(BACKUP_ELIGIBLE)) throw new Error("Contradictory backup flags");
  const counter = view.getUint32(COUNTER_OFFSET);

  let offset = CREDENTIAL_OFFSET;
  const readCbor = () => {
    const start = offset;
    offset = decodeCbor(bytes, start).end;
    return bytes.subarray(start, offset);
  };
  let credential: AuthenticatorData["credential"];
  if (has(HAS_CREDENTIAL)) {
    const idOffset = offset + MODEL_ID_BYTES + 2;
    offset = idOffset + view.getUint16(idOffset - 2);
    credential = { id: bytes.subarray(idOffset, offset), publicKey: readCbor() };
  }
  if (has(HAS_EXTENSIONS) && !(decodeCbor(readCbor()).value instanceof Map))
    throw new Error("Extensions that are not a map");
  if (offset !== bytes.length) throw new Error("The data does not have the length that it states");
  return { counter, isBackupEligible: has(BACKUP_ELIGIBLE), credential };
}

/** The members of an attestation object. */
interface Attestation {
  /** The authenticator data. */
  readonly data: Uint8Array;
  /** The signature of the new passkey itself; undefined without a statement. */
  readonly selfSignature: Uint8Array | undefined;
}

/**
 * Reads an attestation object. Browsers pass on no statement except that of the new passkey itself
 * (WebAuthn Level 3 § 5.1.3). Throws for any other statement, and on malformed bytes.
 */
export function readAttestationObject(bytes: Uint8Array): Attestation {
  const { value, end } = decodeCbor(bytes);
  if (!(value instanceof Map) || end !== bytes.length) throw new Error("Not an attestation object");
  const data = value.get("authData");
  const statement = value.get("attStmt");
  if (!(data instanceof Uint8Array && statement instanceof Map))
    throw new Error("An attestation object without its members");
  const format = value.get("fmt");
  if (format === "none" && statement.size === 0) return { data, selfSignature: undefined };
  const selfSignature = statement.get("sig");
  if (format !== "packed" || statement.has("x5c") || !(selfSignature instanceof Uint8Array))
    throw new Error("A statement that Errata did not request");
  return { data, selfSignature };
}
