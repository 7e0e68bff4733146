/** An authenticator for passkeys in software, which responds as a browser does. */
import { createHash } from "node:crypto";
import { type CBORType, decodeCBOR, encodeCBOR } from "@levischuck/tiny-cbor";

/** A request of the desk, as the page sees it. */
export interface PasskeyPrompt {
  readonly origin: string;
  readonly hostname: string;
  readonly challenge: string;
}

/** Deviations from a valid response. */
export interface Deviation {
  readonly clientData?: object;
  readonly flags?: number;
  readonly counter?: number;
  /** Bytes after the authenticator data. */
  readonly rest?: readonly number[];
  /** True if the data have no passkey, as in the response to a sign-in. */
  readonly isWithoutKey?: boolean;
  /** Bytes that are missing at the end of the attestation object. */
  readonly cutBytes?: number;
  /** The format and the statement of the attestation. */
  readonly attestation?: readonly [format: CBORType, statement: CBORType];
  /** The modulus of an RSA key. */
  readonly modulus?: Uint8Array;
}

/** A response as `PublicKeyCredential.toJSON` returns it. */
export interface PasskeyResponse {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
  readonly response: Readonly<Record<string, unknown>>;
}

const ALGORITHMS = {
  "-7": { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  "-8": { name: "Ed25519" },
  "-257": {
    ...{ name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", modulusLength: 2048 },
    publicExponent: Uint8Array.of(1, 0, 1),
  },
} as const;

/** The COSE algorithm of a passkey. */
export type CoseAlgorithm = keyof typeof ALGORITHMS;

/** User present and verified. */
const FLAGS = 0x05;
const HAS_CREDENTIAL = 0x40;

/** A new passkey with a key of this algorithm. */
export async function createAuthenticator(algorithm: CoseAlgorithm, id: Uint8Array) {
  const parameters = ALGORITHMS[algorithm];
  const keys = (await crypto.subtle.generateKey(parameters, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const jwk = (await crypto.subtle.exportKey("jwk", keys.publicKey)) as JsonWebKey;
  const idText = Buffer.from(id).toString("base64url");
  const frame = (response: PasskeyResponse["response"]) => ({
    ...{ id: idText, rawId: idText, type: "public-key", response },
  });

  const createSignature = async (data: Uint8Array, clientData: Uint8Array) => {
    const hash = createHash("sha256").update(clientData).digest();
    const signed = new Uint8Array(Buffer.concat([data, hash]));
    const raw = await crypto.subtle.sign(parameters, keys.privateKey, signed);
    return algorithm === "-7" ? encodeDer(new Uint8Array(raw)) : Buffer.from(raw);
  };

  return {
    id: idText,
    /** The response to `navigator.credentials.create`. */
    register(prompt: PasskeyPrompt, deviation: Deviation = {}): PasskeyResponse {
      const length = Uint8Array.of(id.length >> 8, id.length & 0xff);
      const fields = toCoseFields(Number(algorithm), jwk);
      if (deviation.modulus !== undefined) fields.set(-1, deviation.modulus);
      const cose = encodeCBOR(fields);
      const { flags = FLAGS, rest = [], isWithoutKey = false, cutBytes = 0 } = deviation;
      const data = isWithoutKey
        ? createData(prompt, deviation)
        : Buffer.concat([
            createData(prompt, { ...deviation, flags: flags | HAS_CREDENTIAL }),
            ...[new Uint8Array(16), length, id, cose, Uint8Array.from(rest)],
          ]);
      const [format, statement] = deviation.attestation ?? ["none", new Map()];
      const attestation = new Map<string, CBORType>([
        ["fmt", format],
        ["attStmt", statement],
        ["authData", new Uint8Array(data)],
      ]);
      return frame({
        clientDataJSON: createClientData("webauthn.create", prompt, deviation).toString(
          "base64url",
        ),
        attestationObject: Buffer.from(encodeCBOR(attestation))
          .subarray(0, -cutBytes || undefined)
          .toString("base64url"),
        transports: ["internal", "unknown"],
      });
    },

    /** The response to `navigator.credentials.create` with a statement that the passkey signs. */
    async registerSelfSigned(prompt: PasskeyPrompt): Promise<PasskeyResponse> {
      const { response } = this.register(prompt);
      const object = decodeCBOR(
        new Uint8Array(Buffer.from(String(response.attestationObject), "base64url")),
      );
      const data = (object as Map<string, Uint8Array>).get("authData") as Uint8Array;
      const clientData = Buffer.from(String(response.clientDataJSON), "base64url");
      const sig = new Uint8Array(await createSignature(data, clientData));
      const statement = new Map<string, CBORType>([
        ["alg", Number(algorithm)],
        ["sig", sig],
      ]);
      return this.register(prompt, { attestation: ["packed", statement] });
    },

    /** The response to `navigator.credentials.get`. */
    async sign(prompt: PasskeyPrompt, deviation: Deviation = {}): Promise<PasskeyResponse> {
      const data = Buffer.concat([
        createData(prompt, deviation),
        Uint8Array.from(deviation.rest ?? []),
      ]);
      const clientData = createClientData("webauthn.get", prompt, deviation);
      const signature = await createSignature(data, clientData);
      return frame({
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
      });
    },
  };
}

function createData({ hostname }: PasskeyPrompt, { flags = FLAGS, counter = 0 }: Deviation) {
  const tail = Buffer.alloc(5);
  tail.writeUInt8(flags);
  tail.writeUInt32BE(counter, 1);
  return Buffer.concat([createHash("sha256").update(hostname).digest(), tail]);
}

function createClientData(type: string, prompt: PasskeyPrompt, { clientData }: Deviation) {
  const { challenge, origin } = prompt;
  const stated = { type, challenge, origin, crossOrigin: false, ...clientData };
  return Buffer.from(JSON.stringify(stated));
}

function toCoseFields(algorithm: number, { kty, x, y, n, e }: JsonWebKey) {
  const bytes = (text = "") => new Uint8Array(Buffer.from(text, "base64url"));
  const type = { OKP: 1, EC: 2, RSA: 3 }[kty as "OKP" | "EC" | "RSA"];
  const fields = new Map<number, number | Uint8Array>([
    [1, type],
    [3, algorithm],
  ]);
  if (kty === "RSA") return fields.set(-1, bytes(n)).set(-2, bytes(e));
  fields.set(-1, kty === "EC" ? 1 : 6).set(-2, bytes(x));
  return kty === "EC" ? fields.set(-3, bytes(y)) : fields;
}

/** Two integers of 32 bytes as a DER sequence. */
function encodeDer(raw: Uint8Array): Buffer {
  const integers = [raw.subarray(0, 32), raw.subarray(32)].map((integer) => {
    const first = integer.findIndex((byte) => byte !== 0);
    const digits = integer.subarray(first);
    const sign = (digits[0] ?? 0) >= 0x80 ? [0] : [];
    return [0x02, sign.length + digits.length, ...sign, ...digits];
  });
  const content = integers.flat();
  return Buffer.from([0x30, content.length, ...content]);
}
