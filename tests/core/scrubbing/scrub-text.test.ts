import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { scrubReport } from "#src/core/scrubbing/scrub.ts";
import { emptyParsedReport } from "#support/reports/reports.ts";

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
