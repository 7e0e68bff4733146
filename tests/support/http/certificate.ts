// A self-signed certificate for serving Errata over https on this machine: an X.509 v3 certificate
// (RFC 5280) with a new P-256 key, written in DER here because Node can read but not create
// certificates. The key is only in memory.

import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/**
 * A certificate for `hostnames` (names or IPv4 addresses), valid for eight days from yesterday.
 * `spki` is the base64 of the SHA-256 of its public key, for Chromium's
 * --ignore-certificate-errors-spki-list.
 */
export function createCertificate(
  hostnames: string[],
  now: Date,
): { key: string; cert: string; spki: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const dayMs = 86_400_000;
  const name = encodeSequence(
    encodeSet(encodeSequence(encodeOid("550403"), encodeDer(0x0c, Buffer.from("Errata, local")))),
  );
  const names = hostnames.map((host) =>
    /^\d+(\.\d+){3}$/.test(host)
      ? encodeDer(0x87, Buffer.from(host.split(".").map(Number)))
      : encodeDer(0x82, Buffer.from(host)),
  );
  const ecdsaWithSha256 = encodeSequence(encodeOid("2a8648ce3d040302"));
  const body = encodeSequence(
    encodeDer(0xa0, encodeDer(0x02, Buffer.from([2]))),
    encodeDer(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    encodeSequence(
      encodeTime(new Date(now.getTime() - dayMs)),
      encodeTime(new Date(now.getTime() + 7 * dayMs)),
    ),
    name,
    spki,
    encodeDer(
      0xa3,
      encodeSequence(
        // basicConstraints: a certificate authority too, so that it can be trusted as a root;
        // subjectAltName.
        encodeSequence(
          encodeOid("551d13"),
          encodeDer(0x01, Buffer.from([0xff])),
          encodeOctets(encodeSequence(encodeDer(0x01, Buffer.from([0xff])))),
        ),
        encodeSequence(encodeOid("551d11"), encodeOctets(encodeSequence(...names))),
      ),
    ),
  );
  const signature = encodeDer(
    0x03,
    Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]),
  );
  const certificate = encodeSequence(body, ecdsaWithSha256, signature);
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64").replace(/.{1,64}/g, "$&\n")}-----END CERTIFICATE-----\n`,
    spki: createHash("sha256").update(spki).digest("base64"),
  };
}

/** One DER value: tag, length, content. */
function encodeDer(tag: number, content: Uint8Array) {
  const { length } = content;
  const bytes =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

const encodeSequence = (...values: Uint8Array[]) => encodeDer(0x30, Buffer.concat(values));
const encodeSet = (value: Uint8Array) => encodeDer(0x31, value);
const encodeOctets = (value: Uint8Array) => encodeDer(0x04, value);
const encodeOid = (hex: string) => encodeDer(0x06, Buffer.from(hex, "hex"));
/** UTCTime, e.g. 261121174815Z, as § 4.1.2.5 asks for until 2049. */
const encodeTime = (date: Date) =>
  encodeDer(0x17, Buffer.from(`${date.toISOString().replace(/\D/g, "").slice(2, 14)}Z`));
