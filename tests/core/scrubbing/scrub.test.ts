import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { limits } from "../../../src/core/limits.ts";
import type { Json, ParsedReport } from "../../../src/core/report.ts";
import { isCardNumber } from "../../../src/core/scrubbing/card-numbers.ts";
import { scrubReport } from "../../../src/core/scrubbing/scrub.ts";
import { isSecretName } from "../../../src/core/scrubbing/secret-names.ts";
import { emptyParsedReport } from "../../support/reports/reports.ts";

const BOTH = { email: true, ip: true };

describe("a text", () => {
  const KEY = "a1B2c3D4e5F6g7H8i9J0";
  const removed = [
    {
      name: "a JWT",
      text: "sent eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln-_ on",
      scrubbed: "sent [removed] on",
    },
    {
      name: "a bearer token",
      text: "authorization: Bearer abc123def",
      scrubbed: "authorization: Bearer [removed]",
    },
    {
      name: "basic credentials",
      text: "Authorization: Basic dXNlcjpwYXNz",
      scrubbed: "Authorization: Basic [removed]",
    },
    {
      name: "a cookie header with a JWT in it",
      text: "cookie: a=eyJhbGci.eyJzdWIi.x; sid=1",
      scrubbed: "cookie: [removed]",
    },
    {
      name: "a Set-Cookie header",
      text: "Set-Cookie: sid=1; HttpOnly\nnext",
      scrubbed: "Set-Cookie: [removed]\nnext",
    },
    {
      name: "the userinfo of a URL",
      text: "postgres://shop:pw@db.example:5432/shop",
      scrubbed: "postgres://[removed]@db.example:5432/shop",
    },
    {
      name: "secret parameters of a URL",
      text: "/cb?code=a1&state=2&access_token=b#id_token=c",
      scrubbed: "/cb?code=[removed]&state=2&access_token=[removed]#id_token=[removed]",
    },
    {
      name: "an assignment",
      text: "login failed: password=hunter2, user=jane",
      scrubbed: "login failed: password=[removed], user=jane",
    },
    {
      name: "JSON in a text",
      text: '{"user":"jane","apiKey":"k","n":1}',
      scrubbed: '{"user":"jane","apiKey":"[removed]","n":1}',
    },
    {
      name: "JSON in a string of JSON",
      text: '"{\\"secret\\":\\"k\\"}"',
      scrubbed: '"{\\"secret\\":\\"[removed]\\"}"',
    },
    {
      name: "source code",
      text: "const password = 'hunter2';",
      scrubbed: "const password = '[removed]';",
    },
    {
      name: "a private key",
      text: "-----BEGIN RSA PRIVATE KEY-----\nMIIE+/=\n-----END RSA PRIVATE KEY----- x",
      scrubbed: "[removed] x",
    },
    {
      name: "a truncated private key",
      text: "key -----BEGIN PRIVATE KEY-----\nMIIE",
      scrubbed: "key [removed]",
    },
    {
      name: "a card number",
      text: "card 4111 1111 1111 1111 declined",
      scrubbed: "card [removed] declined",
    },
    { name: "an AWS key id", text: "AKIAIOSFODNN7EXAMPLE", scrubbed: "[removed]" },
    { name: "a Google API key", text: `AIza${KEY}${KEY.slice(0, 15)}`, scrubbed: "[removed]" },
    { name: "a Cloudflare token", text: `cfut_${KEY}${KEY}deadbeef`, scrubbed: "[removed]" },
    { name: "a GitHub token", text: `ghp_${KEY}${KEY}`, scrubbed: "[removed]" },
    {
      name: "a server key in an ingest URL",
      text: `https://errata.example/monitoring?sentry_key=errata_server_${"0a".repeat(16)}&a=1`,
      scrubbed: "https://errata.example/monitoring?sentry_key=[removed]&a=1",
    },
    { name: "an Errata token", text: `errata_${KEY}${KEY}-_`, scrubbed: "[removed]" },
    {
      name: "the code of an Errata link",
      text: `https://errata.example/enter#${KEY}${KEY}`,
      scrubbed: "https://errata.example/enter#[removed]",
    },
    {
      name: "a fine-grained GitHub token",
      text: `github_pat_${KEY}_${KEY}`,
      scrubbed: "[removed]",
    },
    { name: "a Stripe key", text: `sk_live_${KEY}`, scrubbed: "[removed]" },
    { name: "a Slack token", text: `xoxb-1234567890-${KEY}`, scrubbed: "[removed]" },
    { name: "a GitLab token", text: `glpat-${KEY}`, scrubbed: "[removed]" },
    {
      name: "a Slack webhook",
      text: "https://hooks.slack.com/services/T000/B000/abcdef",
      scrubbed: "https://hooks.slack.com/services/[removed]",
    },
    { name: "a key of an AI provider", text: `sk-proj-${KEY}`, scrubbed: "[removed]" },
    { name: "a SendGrid key", text: `SG.${KEY}.${KEY}`, scrubbed: "[removed]" },
    { name: "a Google client secret", text: `GOCSPX-${KEY}`, scrubbed: "[removed]" },
    { name: "a Google access token", text: `ya29.${KEY}`, scrubbed: "[removed]" },
    { name: "a Hugging Face token", text: `hf_${KEY}${KEY.slice(0, 14)}`, scrubbed: "[removed]" },
    {
      name: "a DigitalOcean token",
      text: `dop_v1_${"0123456789abcdef".repeat(4)}`,
      scrubbed: "[removed]",
    },
    { name: "a Shopify token", text: `shpat_${"0aB1".repeat(8)}`, scrubbed: "[removed]" },
    { name: "a Shopify secret", text: `shpss_${"0aB1".repeat(8)}`, scrubbed: "[removed]" },
    {
      name: "a card number followed by a date",
      text: "card 4111 1111 1111 1111 12/27",
      scrubbed: "card [removed] 12/27",
    },
    {
      name: "a password with an @",
      text: "postgres://u:p@ss@h/db",
      scrubbed: "postgres://[removed]@h/db",
    },
    { name: "an npm token", text: `npm_${KEY}${KEY}`, scrubbed: "[removed]" },
  ];
  for (const { name, text, scrubbed } of removed) {
    it(`loses ${name}`, () => {
      const { value, scrubbedCount: count } = scrubReport({ ...emptyParsedReport, message: text });
      expect(value.message).toBe(scrubbed);
      expect(count).toBe(scrubbed.split("[removed]").length - 1);
    });
  }

  const unchanged = [
    "Basic authentication failed, bearer token missing",
    "Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON",
    "Invalid token: expired",
    "Digest: 7F3K-Q2M9, digest 7f3kq2m9, ERROR 2338823894",
    "card 4111 1111 1111 1112 is mistyped",
    "at 1795277313733 in build 20261121160833",
    "https://publickey0000000000000000000000@errata.example/1",
    "const token=getToken(), author=jane, code=ERR_X",
    "id 5aaeee40d56b46ecbfb342d868e140ef of 9d8f4c2e-1234-4abc-8def-0123456789ab",
    "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
    "task-abcdefghijklmnopqrstuvwxyz",
    "see https://www.chromestatus.com/feature/5851021045661696 and https://chromestatus.com/feature/4111111111111111.",
    "jane@example.com from 203.0.113.5 and 2001:db8::1",
    "discord 424242424242424242",
    "https://host.example/@scope/a:b and mail@example.com",
  ];
  for (const text of unchanged) {
    it(`keeps: ${text}`, () => {
      expect(scrubReport({ ...emptyParsedReport, message: text })).toEqual({
        value: { ...emptyParsedReport, message: text },
        scrubbedCount: 0,
      });
    });
  }

  // A backtracking pattern would take minutes here and time out.
  for (const part of [
    "eyJ",
    "eyJ.",
    "-----BEGIN PRIVATE KEY-----",
    "Bearer ",
    "Bearer a",
    "https://",
    "https://a:",
    "cookie: ",
    "cookie:a=",
    "?token=",
    '"',
    '\\"',
    "a=",
    "password",
    "4",
    "4 ",
    "a.",
    "SG.",
    "sk-",
    "@",
    ":",
  ]) {
    it(`of repeated ${JSON.stringify(part)} is scrubbed in linear time`, () => {
      const message = part.repeat(Math.ceil(limits.maxStackChars / part.length));
      for (let time = 0; time < 5; time++) scrubReport({ ...emptyParsedReport, message });
    });
  }
});

describe("a text with named secrets", () => {
  const quoted = [
    [
      '{"password":"correct horse battery staple","authorization":"Token 9f8e7d6c5b4a39281706","apiKey":"abc, def","n":"a b"}',
      '{"password":"[removed]","authorization":"Token [removed]","apiKey":"[removed]","n":"a b"}',
    ],
    [String.raw`{"password":"a \"b\" c\\\\","n":1}`, '{"password":"[removed]","n":1}'],
    [
      String.raw`"{\"password\":\"a \\\"b, c\",\"n\":\"a b\"}"`,
      String.raw`"{\"password\":\"[removed]\",\"n\":\"a b\"}"`,
    ],
    [
      String.raw`"\"{\\\"secret\\\":\\\"a b\\\",\\\"n\\\":1}\""`,
      String.raw`"\"{\\\"secret\\\":\\\"[removed]\\\",\\\"n\\\":1}\""`,
    ],
    ["login({ password: 'a \\'b\\' c', n: 1 })", "login({ password: '[removed]', n: 1 })"],
    ["{'password': \"it's a & b\"}", "{'password': \"[removed]\"}"],
    ['{"password"=>"a b", "page"=>"c d"}', '{"password"=>"[removed]", "page"=>"c d"}'],
    ['{"token":"abc","pin":1234,"n":5}', '{"token":"[removed]","pin":"[removed]","n":5}'],
    [
      String.raw`["was cut {\"password\":\"a b", "c d"]`,
      String.raw`["was cut {\"password\":\"[removed]", "c d"]`,
    ],
    ['was cut {"password":"a b, c', 'was cut {"password":"[removed]'],
    ['was cut {"password":"a b\nnext "line"', 'was cut {"password":"[removed]\nnext "line"'],
    ['PASSWORD=" a, b"', 'PASSWORD="[removed]"'],
  ] as const;

  it.each(quoted)("loses a quoted value up to its closing quote: %s", (text, scrubbed) => {
    const once = scrubReport({ ...emptyParsedReport, message: text });
    expect(once.value.message).toBe(scrubbed);
    expect(scrubReport(once.value).scrubbedCount).toBe(0);
  });

  const lines = [
    ["password: hunter2", "password: [removed]"],
    ["password: p4ss word, more", "password: [removed]"],
    ["Authorization: Token 9f8e7d6c5b4a39281706", "Authorization: Token [removed]"],
    [
      "authorization: AWS4-HMAC-SHA256 Credential=a/b, Signature=c",
      "authorization: AWS4-HMAC-SHA256 [removed]",
    ],
    ["X-Api-Key: abcdef", "X-Api-Key: [removed]"],
    ["api key: abcdef", "api key: [removed]"],
    ["DB_PASSWORD=p4ss word", "DB_PASSWORD=[removed]"],
    ["db_password = p4ss word", "db_password = [removed]"],
    ["host: a\r\npassword: b c\r\nport: 1", "host: a\r\npassword: [removed]\r\nport: 1"],
    [
      "env:\n  - API_KEY: b c\n  export DB_PASSWORD=a b\n",
      "env:\n  - API_KEY: [removed]\n  export DB_PASSWORD=[removed]\n",
    ],
    ["> POST / HTTP/1.1\n> X-Api-Key: a b", "> POST / HTTP/1.1\n> X-Api-Key: [removed]"],
    ["spring.datasource.password: a b", "spring.datasource.password: [removed]"],
    ["password=a&user=b", "password=[removed]&user=b"],
    ["token: 9f8e7d", "token: [removed]"],
    ["session: aBcDeF", "session: [removed]"],
    ["pin: '123456'", "pin: '[removed]'"],
    ["no access with password: hunter2, sorry", "no access with password: [removed], sorry"],
    [
      "no access with Authorization: Token 9f8e7d6c, sorry",
      "no access with Authorization: Token [removed], sorry",
    ],
    ["a=password=hunter2", "a=password=[removed]"],
    ["Unexpected token: 'password=hunter2 x'", "Unexpected token: 'password=[removed] x'"],
    ["DB_PASSWORD={a b", "DB_PASSWORD=[removed]"],
  ] as const;

  it.each(lines)("loses a value without quotes: %j", (text, scrubbed) => {
    const once = scrubReport({ ...emptyParsedReport, message: text });
    expect(once.value.message).toBe(scrubbed);
    expect(scrubReport(once.value).scrubbedCount).toBe(0);
  });

  const escaped = [
    ["/u?q=%22password%22%3A%22abc%22&a=1", "/u?q=%22password%22%3A%22[removed]%22&a=1"],
    ["password%3Dhunter2", "password%3D[removed]"],
    [
      "/u?q=%7b%22password%22:%22a%20b=c,d%26e%22%7d#a",
      "/u?q=%7b%22password%22:%22[removed]%22%7d#a",
    ],
    [
      "/login?next=%2Fcb%3Fcode%3Da1%26state%3D2",
      "/login?next=%2Fcb%3Fcode%3D[removed]%26state%3D2",
    ],
    ["q=%2522password%2522%253A%2522abc%2522", "q=%2522password%2522%253A%2522[removed]%2522"],
    ["/u?h=Bearer%20abc123def", "/u?h=Bearer%20[removed]"],
  ] as const;

  it.each(escaped)("loses a percent-encoded value: %s", (text, scrubbed) => {
    const once = scrubReport({ ...emptyParsedReport, message: text });
    expect(once.value.message).toBe(scrubbed);
    expect(scrubReport(once.value).scrubbedCount).toBe(0);
  });

  const unchanged = [
    "Unexpected token: 'export'",
    "Invalid token: <",
    "session: closed",
    "Session: Closed",
    'tokenizer: "gpt2"',
    'tokenizer: "cl100k_base"',
    'cookieConsent: "accepted"',
    "sessionStorage: 'unavailable'",
    'pin: "left"',
    "auth: failed",
    "auth: https://errata.example/login2",
    "InvalidCredentials: no such user",
    "NoCredentials: no such user",
    "InvalidPasswordError: it is too short\n    at login (app.js:1:2)",
    "CredentialsSignin: Read more at https://errata.example/1",
    "wrong password: try again, attempt 2",
    "password.ts:10:5 - error TS2345",
    "at password:1234:567",
    "secret::name, secret://vault",
    "password: null\npassword: undefined\npassword: ****",
    "password: {\n  min: 8\n}",
    'show ? "password" : "text"',
    'fetch("/login?password=" + encode(p) + "&user=" + user)',
    '{"x":"password=","y":"abc"}',
    "/u?q=%22page%22%3A%22abc%22&r=100%&s=%E9%ZZ",
  ];

  it.each(unchanged)("keeps: %j", (text) => {
    const report = { ...emptyParsedReport, message: text };
    expect(scrubReport(report)).toEqual({ value: report, scrubbedCount: 0 });
  });

  it("keeps expressions in source code and loses literals", () => {
    const frame = { inApp: true, source: "  password: user.password2," };
    const sourceBefore = ["  apiKey: process.env.API_KEY1,", "  secret: 'a b',"];
    const report = { ...emptyParsedReport, frames: [{ ...frame, sourceBefore }] };
    expect(scrubReport(report).value.frames).toEqual([
      { ...frame, sourceBefore: [sourceBefore[0], "  secret: '[removed]',"] },
    ]);
  });

  for (const part of [
    "password=",
    "password: ",
    'password="',
    'password="\\',
    String.raw`\"password\":\"`,
    "password=a(",
    "token=a=b(",
    "password: a\n",
    "token: ",
    "token: a1",
    "%22",
    "%2522",
    "password%3D",
    "%22password%22%3A%22",
    "a_",
    "api key",
    "\\",
    "4111 1111 ",
    "a://b:",
    "a://b:@",
    "@",
    "?'",
  ]) {
    it(`of repeated ${JSON.stringify(part)} is scrubbed in linear time`, () => {
      const text = part.repeat(Math.ceil(limits.maxAttachmentsBytes / part.length));
      for (const end of ["", "(", '"']) {
        scrubReport({
          ...emptyParsedReport,
          attachments: [{ name: "f", bytes: 1, text: `${text}${end}` }],
        });
      }
    });
  }
});

describe("a JSON attachment", () => {
  const scrubbed = (text: string, settings = { email: false, ip: false }) => {
    const report = { ...emptyParsedReport, attachments: [{ name: "f", bytes: 1, text }] };
    const { value, scrubbedCount: count } = scrubReport(report, settings);
    expect(scrubReport(value, settings)).toEqual({ value, scrubbedCount: 0 });
    return [value.attachments?.[0]?.text, count];
  };

  it.each([
    ["a value", '{"password": "a b", "n": 1}', '{"password": "[removed]", "n": 1}', 1],
    ["a number", '[{"pin": 1234}]', '[{"pin": "[removed]"}]', 1],
    ["an object", '{"auth": {"a": ["b}", {}]}, "n": [1]}', '{"auth": "[removed]", "n": [1]}', 1],
    ["a card", '{"n": 4111111111111111}', '{"n": "[removed]"}', 1],
    ["a pattern", '{"n": "Bearer abc123def"}', '{"n": "Bearer [removed]"}', 1],
    ["an escaped name", '{"pass\\u0077ord" : "a"}', '{"pass\\u0077ord" : "[removed]"}', 1],
    ["a duplicate name", '{"jwt": "a", "jwt": null}', '{"jwt": "[removed]", "jwt": null}', 1],
    ["nested JSON", '{"n": "{\\"pw\\": \\"a b\\"}"}', '{"n": "{\\"pw\\": \\"[removed]\\"}"}', 1],
  ])("loses %s", (_name, text, left, count) => {
    expect(scrubbed(text)).toEqual([left, count]);
  });

  it("keeps the formatting of everything else", () => {
    const text = '{ "n": 12345678901234567890,\n  "token": null, "pin": "", "a": [true, 1e9] }\n';
    expect(scrubbed(text)).toEqual([text, 0]);
  });

  it("loses addresses in names too if the settings are on", () => {
    expect(scrubbed('{"a@b.com": "10.0.0.1"}', BOTH)).toEqual(['{"[removed]": "[removed]"}', 2]);
  });

  it("that is invalid is scrubbed as text", () => {
    expect(scrubbed('{"password": "a b"}\n{"password": "c"')).toEqual([
      '{"password": "[removed]"}\n{"password": "[removed]"',
      2,
    ]);
    expect(scrubbed('"password=a"')).toEqual(['"password=[removed]"', 1]);
  });

  it("is scrubbed like the same parsed data at any depth", () => {
    const deep = `${"[".repeat(200_000)}{"password":"a"}${"]".repeat(200_000)}`;
    expect(scrubbed(deep)[0]).toBe(deep.replace('"a"', '"[removed]"'));
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        if (typeof json !== "object" || json === null) return;
        const text = JSON.stringify(json);
        const { detail } = scrubReport({ ...emptyParsedReport, detail: json as Json }).value;
        expect(JSON.parse(String(scrubbed(text)[0]))).toEqual(JSON.parse(JSON.stringify(detail)));
      }),
    );
  });
});

describe("a text, with scrub settings,", () => {
  const email = [
    ["in a sentence", "mail jane.doe+shop@example.co.uk now", "mail [removed] now"],
    ["at the end of one", "ask jane@example.com.", "ask [removed]."],
    ["in angle brackets", "Jane <jane@example.com>", "Jane <[removed]>"],
    ["in quotes", "no user 'jane@163.com'", "no user '[removed]'"],
    ["in an address", "/u?email=jane%40example.com&x=1", "/u?email=[removed]&x=1"],
    ["with an escaped plus", "/u?e=jane%2Bshop%40example.com", "/u?e=[removed]"],
    ["in a link", "mailto:jane@example.com", "mailto:[removed]"],
    ["in JSON", '{"to":"jane@example.com"}', '{"to":"[removed]"}'],
    ["beyond ASCII", "jürgen@münchen.de, a@xn--80ak6aa92e.com", "[removed], [removed]"],
    ["twice", "a@b.com,c@d.org", "[removed],[removed]"],
  ] as const;
  const ip = [
    ["IPv4", "from 203.0.113.5:443", "from [removed]:443"],
    ["IPv4 in a list", "203.0.113.5, 10.0.0.1", "[removed], [removed]"],
    ["IPv4 in an escaped list", "?ips=203.0.113.5%2C10.0.0.1", "?ips=[removed]%2C[removed]"],
    ["IPv4 as a host", "http://192.168.0.1:8080/a", "http://[removed]:8080/a"],
    ["IPv4 in a path", "/ips/10.0.0.1/log", "/ips/[removed]/log"],
    ["IPv4 at the end of a sentence", "blocked 10.0.0.1.", "blocked [removed]."],
    ["IPv6", "from 2001:db8::1, port 2", "from [removed], port 2"],
    ["IPv6 in full", "client:2001:DB8:0:0:0:0:0:1: refused", "client:[removed]: refused"],
    ["IPv6 as a host", "http://[2001:db8::1]:8080/", "http://[[removed]]:8080/"],
    ["IPv6 that ends in colons", "2a00:1450:4001::", "[removed]"],
    ["IPv6, escaped", "/u?ip=2001%3Adb8%3A%3A1&a=1", "/u?ip=[removed]&a=1"],
    ["IPv6 of a link", "fe80::1ff:fe23:4567:890a%eth0", "[removed]%eth0"],
    ["IPv6 with IPv4 in it", "::ffff:10.0.0.1", "[removed]"],
    ["loopback", "127.0.0.1 or ::1", "[removed] or [removed]"],
  ] as const;
  const unrelated = [
    "Mozilla/5.0 (X11) Chrome/120.0.0.0 Version/18.1.0.2 Foo/1.2.3.4",
    "Chrome 120.0.0.0, version 1.2.3.4, v1.2.3.4 and libfoo-1.2.3.4-beta",
    '"Not A Brand";v="8.0.0.1"',
    "1.2.3, 1.2.3.4.5, 256.1.1.1",
    "12:30:45 on 2024:01:01 10:20:30, aa:bb:cc:dd:ee:ff",
    "li::before, li::1, x[::1], a::b, std::cafe, fdec::add, ::",
    "app.js:10:20, total@cart.js:1:2, f@https://shop.example/app.js:1:2",
    "@scope/package, react@18.2.0, vue@1.0.0-rc.next, user@, @user, a@b",
    "file@2x.png, logo@3x.webp",
    "OS 10.15.7.1, Mac OS X 10.15.7.1, Windows NT 10.0.0.1, Android 4.4.4.1, build 1.2.3.4",
    "git@github.com:errata/errata.git",
    "https://cdn.example/npm/foo@latest.min/x, foo@latest.core/x, foo@latest.min.js, f@cart.bundle.js:1:2",
    "https://publickey0000000000000000000000@errata.example/1",
  ];

  it.each(email)("loses an email address %s", (_name, text, scrubbed) => {
    const report = { ...emptyParsedReport, message: text };
    expect(scrubReport(report, { email: true, ip: false }).value.message).toBe(scrubbed);
    expect(scrubReport(report, { email: false, ip: true }).value.message).toBe(text);
    expect(scrubReport(report)).toEqual({ value: report, scrubbedCount: 0 });
  });

  it.each(ip)("loses %s", (_name, text, scrubbed) => {
    const report = { ...emptyParsedReport, message: text };
    expect(scrubReport(report, { email: false, ip: true }).value.message).toBe(scrubbed);
    expect(scrubReport(report, { email: true, ip: false }).value.message).toBe(text);
    expect(scrubReport(report)).toEqual({ value: report, scrubbedCount: 0 });
  });

  it.each(unrelated)("keeps: %s", (text) => {
    const report = { ...emptyParsedReport, message: text };
    expect(scrubReport(report, BOTH)).toEqual({ value: report, scrubbedCount: 0 });
  });

  it("loses a match that appears only after another removal", () => {
    const message = "pwd=version 10.0.0.1";
    expect(scrubReport({ ...emptyParsedReport, message }, BOTH)).toEqual({
      value: { ...emptyParsedReport, message: "pwd=[removed] [removed]" },
      scrubbedCount: 2,
    });
  });

  it("loses addresses in every part of a report", () => {
    const report: ParsedReport = {
      ...emptyParsedReport,
      request: { url: "/?to=a@b.com", headers: [["x-forwarded-for", "10.0.0.1"]] },
      tags: [
        ["user", "a@b.com"],
        ["a@b.com", "1"],
      ],
      breadcrumbs: [{ message: "hello a@b.com" }],
      detail: { user: { ip_address: "2001:db8::1" }, seen: { "a@b.com": 1, "::1[::1": 2 } },
    };
    expect(scrubReport(report, BOTH)).toEqual({
      value: {
        ...report,
        request: { url: "/?to=[removed]", headers: [["x-forwarded-for", "[removed]"]] },
        tags: [
          ["user", "[removed]"],
          ["[removed]", "1"],
        ],
        breadcrumbs: [{ message: "hello [removed]" }],
        detail: {
          user: { ip_address: "[removed]" },
          seen: { "[removed]": 1, "[removed][[removed]": 2 },
        },
      },
      scrubbedCount: 9,
    });
  });

  for (const part of [
    "a@",
    "a.",
    "a@a.",
    "a%2B",
    "@",
    "%40",
    "1.",
    "1",
    "1.1.1.1.",
    "2001:",
    "::",
    "::1",
    "2001%3A",
    "a/",
    "v=",
  ]) {
    it(`of repeated ${JSON.stringify(part)} is scrubbed in linear time`, () => {
      const message = part.repeat(Math.ceil(limits.maxStackChars / part.length));
      for (let time = 0; time < 5; time++) scrubReport({ ...emptyParsedReport, message }, BOTH);
    });
  }
});

describe("a name", () => {
  const secret = [
    "password",
    "user_passwd",
    "X-Api-Key",
    "apikey",
    "api_key",
    "accessToken",
    "refresh-token",
    "client_secret",
    "auth",
    "authHeader",
    "session",
    "sessionId",
    "JWT",
    "signature",
    "X-Amz-Signature",
    "sig",
    "private_key",
    "AWS_ACCESS_KEY_ID",
    "credentials",
    "Authorization",
    "proxy-authorization",
    "Cookie",
    "set-cookie",
    "x-csrf-token",
    "cf-access-jwt-assertion",
    "pwd",
    "card_number",
  ];
  const harmless = [
    "author",
    "authority",
    "user",
    "key",
    "code",
    "monkey",
    "assign",
    "design",
    "signal",
    "digest",
    "compass",
    "host",
    "cf-ray",
    "referer",
    "pinned",
    "x".repeat(500),
  ];
  for (const name of secret) it(`is secret: ${name}`, () => expect(isSecretName(name)).toBe(true));
  for (const name of harmless)
    it(`is not secret: ${name.slice(0, 20)}`, () => expect(isSecretName(name)).toBe(false));
});

describe("a card number", () => {
  for (const number of [
    "4111 1111 1111 1111",
    "5500-0000-0000-0004",
    "378282246310005",
    "6011000990139424",
    "2221000000000009",
    "2720999999999996",
    "4222222222222",
    "6200000000000000000",
  ]) {
    it(`is recognized by its check digit: ${number}`, () => {
      const fitting = [..."0123456789"].filter((digit) =>
        isCardNumber(number.slice(0, -1) + digit),
      );
      expect(fitting).toEqual([number.slice(-1)]);
    });
  }
  for (const number of [
    "1795277313733",
    "411111111111",
    "0000000000000000",
    "2721000000000004",
    "42424242424242426",
    "424242424242424242",
  ]) {
    it(`needs a valid prefix, length and check digit: ${number}`, () =>
      expect(isCardNumber(number)).toBe(false));
  }
});

describe("a report", () => {
  it("loses secrets in every part and counts them", () => {
    const report: ParsedReport = {
      ...emptyParsedReport,
      message: "Bearer abc123def",
      frames: [
        {
          file: "https://shop.example/cart.js?token=a",
          function: "priceOf",
          line: 1,
          inApp: true,
          source: "password = 'x'",
        },
      ],
      causes: [{ type: "Error", message: "password=a", frames: [] }],
      request: {
        url: "/cart?sig=a&page=2",
        headers: [
          ["authorization", "a"],
          ["accept", "*/*"],
        ],
      },
      tags: [
        ["api_key", "a"],
        ["page", "cart"],
      ],
      breadcrumbs: [{ message: "GET /?token=a" }],
      detail: {
        session: { id: 1 },
        list: [{ password: "a", note: null, on: true }],
        card: 4111111111111111,
      },
    };
    expect(scrubReport(report)).toEqual({
      value: {
        ...report,
        message: "Bearer [removed]",
        frames: [
          {
            file: "https://shop.example/cart.js?token=[removed]",
            function: "priceOf",
            line: 1,
            inApp: true,
            source: "password = '[removed]'",
          },
        ],
        causes: [{ type: "Error", message: "password=[removed]", frames: [] }],
        request: {
          url: "/cart?sig=[removed]&page=2",
          headers: [
            ["authorization", "[removed]"],
            ["accept", "*/*"],
          ],
        },
        tags: [
          ["api_key", "[removed]"],
          ["page", "cart"],
        ],
        breadcrumbs: [{ message: "GET /?token=[removed]" }],
        detail: {
          session: "[removed]",
          list: [{ password: "[removed]", note: null, on: true }],
          card: "[removed]",
        },
      },
      scrubbedCount: 11,
    });
  });

  it("keeps its codes, its times and its frames", () => {
    const report: ParsedReport = {
      ...emptyParsedReport,
      id: "4111111111111111aaaaaaaaaaaaaaaa",
      dedupeKey: "password=x",
      occurredAtMs: 4111111111111111,
      aliases: ["sk-abcdefghijklmnopqrstuvwxyz"],
      linkedDigest: "7F3K-Q2M9",
      frames: [
        {
          file: "/srv/shop/.next/server/chunks/ssr/[root]__0aku18d3ngebw._.js",
          function: "Object.getToken",
          line: 15,
          column: 49042,
          inApp: true,
        },
      ],
    };
    expect(scrubReport(report)).toEqual({ value: report, scrubbedCount: 0 });
  });

  it("is not modified", () => {
    const detail: Json = Object.freeze({ password: "a" });
    const report = Object.freeze({ ...emptyParsedReport, detail });
    expect(scrubReport(report).value.detail).toEqual({ password: "[removed]" });
    expect(detail).toEqual({ password: "a" });
  });

  it("is scrubbed by its own settings, whatever other settings have cached", () => {
    const report = { ...emptyParsedReport, message: "from jane@example.com at 203.0.113.7" };
    const messageWith = (settings: { email: boolean; ip: boolean }) =>
      scrubReport(report, settings).value.message;
    const all = () => [
      messageWith({ email: false, ip: false }),
      messageWith({ email: true, ip: false }),
      messageWith({ email: false, ip: true }),
      messageWith(BOTH),
    ];
    const first = all();
    expect(first).toEqual([
      "from jane@example.com at 203.0.113.7",
      "from [removed] at 203.0.113.7",
      "from jane@example.com at [removed]",
      "from [removed] at [removed]",
    ]);
    expect(all()).toEqual(first);
  });

  it("never makes scrubbing throw, and scrubbing it twice changes nothing", () => {
    const piece = fc.constantFrom(
      "password",
      "token",
      "=",
      ":",
      '"',
      "'",
      "\\",
      "Bearer ",
      "eyJ",
      ".",
      "abc123DEF",
      "cookie: ",
      "://",
      "@",
      "?",
      "&",
      "4111111111111111",
      " ",
      ";",
      "[removed]",
      "a=",
      "-----BEGIN PRIVATE KEY-----",
      "sk-",
      '\\"',
      "%22",
      "%3D",
      "%253A",
      "authorization",
      "hunter2",
      ", ",
      "\n",
      "(",
      "jane@example.com",
      "%40example.com",
      "10.0.0.1",
      "2001:db8::1",
      "version ",
      "Foo/",
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
    );
    const { detail } = fc.letrec((tie) => ({
      detail: fc.oneof(
        { depthSize: "small" },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("detail")),
        fc.dictionary(text, tie("detail")),
      ),
    }));
    const report = fc.record({
      settings: fc.constantFrom(undefined, BOTH),
      message: text,
      stack: text,
      url: text,
      detail,
      tags: fc.array(fc.tuple(text, text)),
      file: text,
      source: text,
    });
    fc.assert(
      fc.property(report, ({ settings, message, stack, url, tags, file, source, detail: sent }) => {
        const detail = sent as Json;
        const attachments = [file, JSON.stringify(sent)].map((text) => ({
          name: "f",
          bytes: 1,
          text,
        }));
        const frames = [{ inApp: true, source }];
        const request = { url };
        const report = {
          ...emptyParsedReport,
          message,
          stack,
          request,
          tags,
          detail,
          attachments,
          frames,
        };
        const once = scrubReport(report, settings);
        expect(scrubReport(once.value, settings)).toEqual({ value: once.value, scrubbedCount: 0 });
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a text that occurs a hundred times in a report", () => {
  const address = (n: number) =>
    `https://shop.example/list?n=${n}&${"filter=red%20shoe&".repeat(33)}`;
  const report = (n: number, times: number, text = address(n)): ParsedReport => ({
    ...emptyParsedReport,
    breadcrumbs: Array.from({ length: times }, () => ({ message: text })),
  });
  const countMatches = (report: ParsedReport) => {
    const exec = vi.spyOn(RegExp.prototype, "exec");
    scrubReport(report);
    const count = exec.mock.calls.length;
    exec.mockRestore();
    return count;
  };

  it.each([
    ["too long for the cache", address],
    ["with a secret in it", (n: number) => `/pay?n=${n}&token=abcdefabcdefabcdef`],
  ])("is scrubbed once: %s", (_, text) => {
    const once = countMatches(report(1, 1, text(1)));
    expect(countMatches(report(2, 100, text(2)))).toBeLessThan(2 * once + 300);
  });
});
