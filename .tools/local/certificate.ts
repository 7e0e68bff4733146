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
  const name = sequence(set(sequence(oid("550403"), der(0x0c, Buffer.from("Errata, local")))));
  const names = hostnames.map((host) =>
    /^\d+(\.\d+){3}$/.test(host)
      ? der(0x87, Buffer.from(host.split(".").map(Number)))
      : der(0x82, Buffer.from(host)),
  );
  const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(time(new Date(now.getTime() - dayMs)), time(new Date(now.getTime() + 7 * dayMs))),
    name,
    spki,
    der(
      0xa3,
      sequence(
        // basicConstraints: a certificate authority too, so that it can be trusted as a root;
        // subjectAltName.
        sequence(
          oid("551d13"),
          der(0x01, Buffer.from([0xff])),
          octets(sequence(der(0x01, Buffer.from([0xff])))),
        ),
        sequence(oid("551d11"), octets(sequence(...names))),
      ),
    ),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]));
  const certificate = sequence(body, ecdsaWithSha256, signature);
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64").replace(/.{1,64}/g, "$&\n")}-----END CERTIFICATE-----\n`,
    spki: createHash("sha256").update(spki).digest("base64"),
  };
}

/** One DER value: tag, length, content. */
function der(tag: number, content: Uint8Array) {
  const { length } = content;
  const bytes =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

const sequence = (...values: Uint8Array[]) => der(0x30, Buffer.concat(values));
const set = (value: Uint8Array) => der(0x31, value);
const octets = (value: Uint8Array) => der(0x04, value);
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
/** UTCTime, e.g. 261121174815Z, as § 4.1.2.5 asks for until 2049. */
const time = (date: Date) =>
  der(0x17, Buffer.from(`${date.toISOString().replace(/\D/g, "").slice(2, 14)}Z`));
