import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkDestination,
  type DestinationSettings,
} from "#src/core/alerts/destinations/destinations.ts";
import { parseTarget } from "#src/core/alerts/destinations/target-address.ts";

const SECRET = `whsec_${btoa("x".repeat(32))}`;
const P256DH = `B${"x".repeat(86)}`;
const AUTH = "x".repeat(22);
const isAccepted = (settings: DestinationSettings, allowed: readonly string[] = []) =>
  checkDestination(settings, allowed, "errata.example").ok;

describe("a URL of a destination", () => {
  it.each([
    "https://hooks.slack.com/services/T0/B0/abc",
    "https://discord.com/api/webhooks/1/abc",
    "https://prod-1.westeurope.logic.azure.com:443/workflows/x?sig=abc",
    "https://mattermost.example.com/hooks/abc",
    "https://bücher.example/hook",
    "https://hooks.example.com.:8443/x",
    "https://10.0.0.1.example.com/x",
  ])("is accepted: %s", (url) => {
    expect(parseTarget(url, [], "errata.example").ok).toBe(true);
  });

  it.each([
    ...["http://hooks.example.com/x", "ftp://hooks.example.com/", "file:///etc/passwd"],
    ...["javascript:alert(1)", "data:text/plain,x", "//hooks.example.com", "hooks.example.com", ""],
    ...["https://u:p@hooks.example.com/", "https://u@hooks.example.com/", "https://:p@x.example/"],
    // IP addresses of version 4, in every spelling that URL parsers know.
    ...["https://127.0.0.1/", "https://127.1/", "https://2130706433/", "https://0x7f.1/"],
    ...["https://0x7f000001/", "https://017700000001/", "https://0177.0.0.1/", "https://0/"],
    ...["https://0.0.0.0/", "https://10.0.0.1/", "https://172.16.0.1/", "https://192.168.1.1/"],
    ...["https://169.254.169.254/latest/meta-data/", "https://100.64.0.1/", "https://8.8.8.8/"],
    ...[
      "https://①②⑦.⓪.⓪.①/",
      "https://１２７.０.０.１/",
      "https://127。0。0。1/",
      "https://127.0.0.1./",
    ],
    ...[
      "https://%31%32%37.0.0.1/",
      "https://127.0.0.1%2f@x/",
      "https:\\\\127.0.0.1\\",
      "https:127.0.0.1",
    ],
    ...["https://255.255.255.255/", "https://224.0.0.1/"],
    // Version 6.
    ...[
      "https://[::1]/",
      "https://[::]/",
      "https://[::ffff:127.0.0.1]/",
      "https://[::ffff:7f00:1]/",
    ],
    ...[
      "https://[fe80::1]/",
      "https://[fc00::1]/",
      "https://[fd00:ec2::254]/",
      "https://[64:ff9b::a00:1]/",
    ],
    ...["https://[2001:4860:4860::8888]/", "https://[0:0:0:0:0:0:0:1]/"],
    // Names of the machine and of local networks.
    ...["https://localhost/", "https://localhost./", "https://LOCALHOST/", "https://a.localhost/"],
    ...["https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/", "https://loc\u00adalhost/", "https://localhost%2e/"],
    ...["https://intranet/", "https://printer.local/", "https://db.internal/", "https://a.corp/"],
    ...["https://metadata.google.internal/", "https://metadata/", "https://router.home.arpa/"],
    ...[
      "https://1.0.0.127.in-addr.arpa/",
      "https://x.onion/",
      "https://a.lan/",
      "https://db.internal./",
    ],
    ...["https://127.0.0.1.nip.io/", "https://a.sslip.io/", "https://localtest.me/"],
    ...["https://127.0.0.1.backname.io/", "https://7f000001.c0a80001.rbndr.us/"],
    ...["https://kubernetes.default.svc/", "https://vault.service.consul/"],
    "https://metadata.tencentyun.com/latest/meta-data/",
    // Errata itself.
    ...[
      "https://errata.example/monitoring",
      "https://ERRATA.example./",
      "https://errata.example:8443/",
    ],
    `https://hooks.example.com/${"x".repeat(2_000)}`,
    "https://a..example.com/",
    "https://.example.com/",
  ])("is refused: %s", (url) => {
    expect(parseTarget(url, [], "errata.example")).toMatchObject({ ok: false, reason: "invalid" });
  });

  it("is accepted on the local machine only for a host and port that the configuration names", () => {
    const allowed = ["127.0.0.1:18900"];
    const accepts = (url: string) => parseTarget(url, allowed, "errata.example").ok;
    expect(accepts("http://127.0.0.1:18900/hook")).toBe(true);
    expect(accepts("http://127.1:18900/hook")).toBe(true);
    expect(accepts("http://127.0.0.1:18901/hook")).toBe(false);
    expect(accepts("http://127.0.0.1/hook")).toBe(false);
    expect(accepts("http://localhost:18900/hook")).toBe(false);
    expect(accepts("http://u:p@127.0.0.1:18900/hook")).toBe(false);
    expect(accepts("ftp://127.0.0.1:18900/hook")).toBe(false);
  });

  it("is refused for every IP address, however a number is written", () => {
    const part = fc.nat(255);
    const written = fc
      .tuple(part, part, part, part, fc.constantFrom(10, 8, 16), fc.nat(3))
      .map(([a, b, c, d, radix, joined]) => {
        const write = (n: number) =>
          radix === 16 ? `0x${n.toString(16)}` : radix === 8 ? `0${n.toString(8)}` : `${n}`;
        const parts = [a, b, c, d];
        const last = parts.slice(joined).reduce((sum, n) => sum * 256 + n, 0);
        return [...parts.slice(0, joined), last].map(write).join(".");
      });
    fc.assert(
      fc.property(written, (host) => {
        expect([host, parseTarget(`https://${host}/`, []).ok]).toEqual([host, false]);
      }),
    );
  });
});

describe("the settings of a destination", () => {
  it.each<[string, DestinationSettings]>([
    ["Slack", { kind: "slack", url: "https://hooks.slack.com/services/T/B/x" }],
    ["a webhook", { kind: "webhook", url: "https://x.example.com/", secret: SECRET }],
    ["email", { kind: "email", to: ["ada@example.com", "grace@mail.example.org"] }],
    ["ntfy", { kind: "ntfy", url: "https://ntfy.sh/my-topic", token: "tk_abc" }],
    [
      "Telegram",
      { kind: "telegram", token: "123456:ABCDEFGHIJKLMNOPQRSTUVWXYZ", chatId: "-100123" },
    ],
    ["Chrome", push("https://fcm.googleapis.com/fcm/send/abc")],
    ["Firefox", push("https://updates.push.services.mozilla.com/wpush/v2/abc")],
    ["Safari", push("https://web.push.apple.com/abc")],
    ["Edge", push("https://wns2-by3p.notify.windows.com/w/?token=abc")],
  ])("are accepted: %s", (_, settings) => {
    expect(isAccepted(settings)).toBe(true);
  });

  it.each<[string, DestinationSettings]>([
    ["a private Slack URL", { kind: "slack", url: "https://10.0.0.1/services/T/B/x" }],
    [
      "a webhook with a short secret",
      { kind: "webhook", url: "https://x.example.com/", secret: "whsec_YQ==" },
    ],
    [
      "a webhook with another secret",
      { kind: "webhook", url: "https://x.example.com/", secret: "x".repeat(40) },
    ],
    ["no address", { kind: "email", to: [] }],
    ["51 addresses", { kind: "email", to: Array.from({ length: 51 }, (_, n) => `a${n}@b.co`) }],
    ["a header in an address", { kind: "email", to: ["a@b.co\r\nBcc: c@d.co"] }],
    ["a list in an address", { kind: "email", to: ["a@b.co,c@d.co"] }],
    ["a name in an address", { kind: "email", to: ["Ada <ada@b.co>"] }],
    ["ntfy without a topic", { kind: "ntfy", url: "https://ntfy.sh/" }],
    ["a header in a token", { kind: "ntfy", url: "https://ntfy.sh/a", token: "a\r\nX: y" }],
    ["a path in a token", { kind: "telegram", token: "1:../../x", chatId: "1" }],
    ["no chat", { kind: "telegram", token: "123456:ABCDEFGHIJKLMNOPQRSTUVWXYZ", chatId: "" }],
    ["an unknown push service", push("https://push.example.com/abc")],
    ["a push service in another domain", push("https://fcm.googleapis.com.evil.example/abc")],
    ["a push service as a user", push("https://fcm.googleapis.com@evil.example/abc")],
    ["a push service at another port", push("https://fcm.googleapis.com:8443/abc")],
    ["keys that are too short", { ...push("https://fcm.googleapis.com/x"), auth: "x" }],
  ])("are refused: %s", (_, settings) => {
    expect(isAccepted(settings)).toBe(false);
  });
});

function push(endpoint: string): Extract<DestinationSettings, { kind: "push" }> {
  return { kind: "push", endpoint, p256dh: P256DH, auth: AUTH };
}
