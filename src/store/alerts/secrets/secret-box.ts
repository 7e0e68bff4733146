/**
 * Encrypts the secrets that people enter, before they are stored: AES-256-GCM (NIST SP 800-38D),
 * with keys by HKDF-SHA-256 (RFC 5869) from `ERRATA_SERVER_KEY`. The associated data names the
 * project, the owner of the secret and the setting, so that a ciphertext is valid in no other place.
 *
 * A deployment without `ERRATA_SERVER_KEY` gets a random key in the object, which KV does not have.
 * Synchronous, because a change and its row are stored in one turn.
 */
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { isSealed, SEALED_PREFIX } from "../../../core/secrets/sealed-text.ts";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
/** Of the name of a key, which tells nothing about the key. */
const NAME_BYTES = 6;
/** SP 800-38D § 8.2.2: 96 random bits. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Whose secret it is: `tracker`, its id, `token`. */
export type SecretOwner = readonly [kind: string, id: string, setting: string];

/** Replaces one secret. */
export type ChangeSecret = (text: string, owner: SecretOwner) => string;

interface BoxDeps {
  readonly project: string;
  /** The keys of the configuration: the first one encrypts. */
  readonly readKeys: () => readonly string[];
  /** The key of the object; undefined before one was created. */
  readonly readLocalKey: () => string | undefined;
  readonly saveLocalKey: (key: string) => void;
}

interface DerivedKey {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export class SecretBox {
  readonly #deps: BoxDeps;
  readonly #derived = new Map<string, DerivedKey>();

  constructor(deps: BoxDeps) {
    this.#deps = deps;
  }

  /** The encrypted secret. One that is still encrypted, because no key opens it, stays as it is. */
  seal(text: string, owner: SecretOwner): string {
    if (isSealed(text)) return text;
    const { name, bytes } = this.#getCurrent() ?? this.#createLocal();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, bytes, nonce);
    cipher.setAAD(this.#toAssociatedData(owner));
    const parts = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
    return `${SEALED_PREFIX}${name}:${Buffer.concat(parts).toString("base64url")}`;
  }

  /**
   * The secret. A text that is not encrypted is returned as it is, and so is one that no key opens
   * or that belongs to another owner: see `isSealed`.
   */
  open(text: string, owner: SecretOwner): string {
    if (!text.startsWith(SEALED_PREFIX)) return text;
    const [name, body = ""] = text.slice(SEALED_PREFIX.length).split(":");
    const key = this.#listKeys().find((one) => one.name === name);
    const data = Buffer.from(body, "base64url");
    if (key === undefined || data.length < NONCE_BYTES + TAG_BYTES) return text;
    const decipher = createDecipheriv(CIPHER, key.bytes, data.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(this.#toAssociatedData(owner));
    decipher.setAuthTag(data.subarray(-TAG_BYTES));
    try {
      const opened = decipher.update(data.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([opened, decipher.final()]).toString("utf8");
    } catch {
      return text;
    }
  }

  /** True if the text is encrypted with the key that `seal` uses. */
  isCurrent(text: string): boolean {
    const current = this.#getCurrent();
    return current !== undefined && text.startsWith(`${SEALED_PREFIX}${current.name}:`);
  }

  #getCurrent(): DerivedKey | undefined {
    return this.#listKeys()[0];
  }

  /** The keys of the configuration, then that of the object. */
  #listKeys(): readonly DerivedKey[] {
    const { readKeys, readLocalKey } = this.#deps;
    const local = readLocalKey();
    return [...readKeys(), ...(local === undefined ? [] : [local])].map((key) => this.#derive(key));
  }

  #createLocal(): DerivedKey {
    const key = randomBytes(KEY_BYTES).toString("base64url");
    this.#deps.saveLocalKey(key);
    return this.#derive(key);
  }

  #derive(key: string): DerivedKey {
    const known = this.#derived.get(key);
    if (known !== undefined) return known;
    const bits = hkdfSync("sha256", key, "", "errata secrets 1", KEY_BYTES + NAME_BYTES);
    const bytes = new Uint8Array(bits);
    const name = Buffer.from(bytes.subarray(KEY_BYTES)).toString("base64url");
    const derived = { name, bytes: bytes.subarray(0, KEY_BYTES) };
    this.#derived.set(key, derived);
    return derived;
  }

  #toAssociatedData(owner: SecretOwner): Uint8Array {
    return new TextEncoder().encode(JSON.stringify([this.#deps.project, ...owner]));
  }
}
