// The test vector of RFC 8291, in the runtime that sends.

import { expect, it } from "vitest";
import { encryptPush, fromBase64Url, toBase64Url } from "#src/store/alerts/send/push-request.ts";

const SENDER_PUBLIC =
  "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
const SENDER_PRIVATE = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";

it("a push message is encrypted as in the test vector of RFC 8291", async () => {
  const point = fromBase64Url(SENDER_PUBLIC);
  const curve = { name: "ECDH", namedCurve: "P-256" };
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: toBase64Url(point.subarray(1, 33)),
    y: toBase64Url(point.subarray(33)),
    d: SENDER_PRIVATE,
  };
  const privateKey = await crypto.subtle.importKey("jwk", jwk, curve, true, ["deriveBits"]);
  const publicKey = await crypto.subtle.importKey("raw", point, curve, true, []);
  const body = await encryptPush(
    new TextEncoder().encode("When I grow up, I want to be a watermelon"),
    {
      p256dh:
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    },
    { salt: fromBase64Url("DGv6ra1nlYgDCS1FRnbzlw"), keys: { privateKey, publicKey } },
  );
  expect(toBase64Url(body)).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});
