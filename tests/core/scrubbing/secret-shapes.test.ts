import { describe, expect, it } from "vitest";
import type { Json, ParsedReport } from "#src/core/report.ts";
import { scrubReport } from "#src/core/scrubbing/scrub.ts";
import { encodePageToken } from "#src/core/trust/page-token-format.ts";
import { emptyParsedReport } from "#support/reports/reports.ts";

const HEX = "9f8e7d6c5b4a32100123456789abcdef";
const WORD = "a1B2c3D4e5F6g7H8i9J0";

/** A secret by its shape; what remains of the text. */
const SHAPES = [
  [
    "a value after its name in JSON",
    `{"name":"password","value":"x"}`,
    `{"name":"password","value":"[removed]"}`,
  ],
  [
    "a value before its name",
    `{"value":"x","key":"api_key"}`,
    `{"value":"[removed]","key":"api_key"}`,
  ],
  [
    "a value and its name in a string of JSON",
    String.raw`"{\"name\":\"token\",\"type\":\"text\",\"value\":\"x\"}"`,
    String.raw`"{\"name\":\"token\",\"type\":\"text\",\"value\":\"[removed]\"}"`,
  ],
  ["a number and its name", `{"name":"pin","value":1234}`, `{"name":"pin","value":"[removed]"}`],
  [
    "a value and its name in Python",
    `{'name': 'pwd', 'value': 'x'}`,
    `{'name': 'pwd', 'value': '[removed]'}`,
  ],
  [
    "a list of pairs",
    `[["authorization","x"],["a","b"]]`,
    `[["authorization","[removed]"],["a","b"]]`,
  ],
  ["tuples", "[(b'authorization', b'x')]", "[(b'authorization', b'[removed]')]"],
  ["a pair", `["api-key","abc123def"]`, `["api-key","[removed]"]`],
  [
    "a field of a form",
    `<input name="password" type="text" value="x">`,
    `<input name="password" type="text" value="[removed]">`,
  ],
  [
    "a variable of a container",
    "- name: DB_PASSWORD\n  value: x y\n",
    "- name: DB_PASSWORD\n  value: [removed]\n",
  ],
  ["a value on the next line", "password=\nhunter2\nnext", "password=\n[removed]\nnext"],
  ["a value of YAML on the next line", "password:\n  hunter\nnext", "password:\n  [removed]\nnext"],
  [
    "a block of YAML",
    "a:\n  password: |\n    x\n    y z\n  b: 1",
    "a:\n  password: |\n    [removed]\n  b: 1",
  ],
  ["a folded block of YAML", "secretKey: >-\n  x", "secretKey: >-\n  [removed]"],
  ["a code verifier", "code_verifier=x&a=1", "code_verifier=[removed]&a=1"],
  ["a SAML response", "SAMLResponse=PHNh&RelayState=1", "SAMLResponse=[removed]&RelayState=1"],
  ["sshpass", "sshpass -p x ssh a@b", "sshpass -p [removed] ssh a@b"],
  ["sshpass with a quoted password", "sshpass -p 'a b' ssh", "sshpass -p [removed] ssh"],
  ["openssl -passin", "openssl rsa -passin pass:x -in a", "openssl rsa -passin [removed] -in a"],
  ["bindpw", "bindpw x\nbase dc=a", "bindpw [removed]\nbase dc=a"],
  ["netrc", "machine a login b password x", "machine a login b password [removed]"],
  ["psk", "psk=x", "psk=[removed]"],
  ["a quoted psk", `psk="my network"`, `psk="[removed]"`],
  ["a name with an invisible character", "pass\u200bword=x", "password=[removed]"],
  ["a full-width name", "\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44=x", "password=[removed]"],
  ["an option", "dump --password=hunter2 shop", "dump --password=[removed] shop"],
  ["a token option", "push --token=abc", "push --token=[removed]"],
  ["a longer option", "dump --db-password=hunter2 -v", "dump --db-password=[removed] -v"],
  ["an option after one dash", "run -password=hunter2", "run -password=[removed]"],
  ["an argument", "dump --password hunter2 shop", "dump --password [removed] shop"],
  ["a quoted argument", "dump --api-key 'a b' shop", "dump --api-key '[removed]' shop"],
  [
    "an argument in a list",
    `run ["--db-pass", "hunter2", "-v"]`,
    `run ["--db-pass", "[removed]", "-v"]`,
  ],
  ["a Java property", "java -Ddb.password=hunter2 -jar a", "java -Ddb.password=[removed] -jar a"],
  ["curl -u", "curl -s -u jane:hunter2 https://a/", "curl -s -u [removed] https://a/"],
  ["curl -sSu", "curl -sSu jane:hunter2 https://a/", "curl -sSu [removed] https://a/"],
  ["curl --user", `curl --user "jane:a1" https://a/`, `curl --user "[removed]" https://a/`],
  ["curl over lines", "curl -s \\\n  -u jane:a1 \\\n  a", "curl -s \\\n  -u [removed] \\\n  a"],
  ["mysql -p", "mysql -uroot -phunter2 shop", "mysql -uroot -p[removed] shop"],
  ["mysqldump -p", "mysqldump -h db -p'a b' shop", "mysqldump -h db -p[removed] shop"],
  ["an element", "<password>hunter2</password>", "<password>[removed]</password>"],
  [
    "an element with a namespace",
    `<w:Password Type="t">a b</w:Password>`,
    `<w:Password Type="t">[removed]</w:Password>`,
  ],
  [
    "an element with CDATA",
    "<token><![CDATA[a]b]]></token>",
    "<token><![CDATA[[removed]]]></token>",
  ],
  [
    "a form field",
    `x; name="password"\r\n\r\nhunter2\r\n--b`,
    `x; name="password"\r\n\r\n[removed]\r\n--b`,
  ],
  [
    "a form field with a type",
    `x; name="pin"\nContent-Type: text/plain\n\n1234\n--b`,
    `x; name="pin"\nContent-Type: text/plain\n\n[removed]\n--b`,
  ],
  [
    "an escaped form field",
    String.raw`{"body":"x; name=\"password\"\r\n\r\nhunter2\r\n--b"}`,
    String.raw`{"body":"x; name=\"password\"\r\n\r\n[removed]\r\n--b"}`,
  ],
  ["DB_PASS", "with DB_PASS=hunter2 and", "with DB_PASS=[removed] and"],
  ["a line of DB_PASS", "DB_PASS=hunter two", "DB_PASS=[removed]"],
  ["pass", "user=jane pass=hunter2", "user=jane pass=[removed]"],
  ["passcode", "sent passcode=4711 to", "sent passcode=[removed] to"],
  ["mfa_code", "sent mfa_code=471100", "sent mfa_code=[removed]"],
  ["passwort", "mit passwort=geheim1", "mit passwort=[removed]"],
  [
    "an Azure account key",
    "AccountName=shop;AccountKey=a+b/c==;Suffix=x",
    "AccountName=shop;AccountKey=[removed];Suffix=x",
  ],
  [
    "an Azure access key",
    "SharedAccessKeyName=send;SharedAccessKey=a+b/c=",
    "SharedAccessKeyName=send;SharedAccessKey=[removed]",
  ],
  ["PHPSESSID", "GET / PHPSESSID=abc", "GET / PHPSESSID=[removed]"],
  [".AspNetCore.Cookies", "got .AspNetCore.Cookies=CfDJ8", "got .AspNetCore.Cookies=[removed]"],
  [
    "a PGP key",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQ=\n-----END PGP PRIVATE KEY BLOCK----- x",
    "[removed] x",
  ],
  ["a card with no-break spaces", "card 4111\u00a01111\u00a01111\u00a01111.", "card [removed]."],
  ["a card with thin spaces", "card 4111\u20091111\u20091111\u20091111 ok", "card [removed] ok"],
  ["a card with narrow spaces", "card 4111\u202f1111\u202f1111\u202f1111 ok", "card [removed] ok"],
  ["a card with dots", "card 4111.1111.1111.1111 declined", "card [removed] declined"],
  ["an American Express card with dots", "card 3782.822463.10005", "card [removed]"],
  ["Python bytes", "{b'password': b'x', b'n': b'y'}", "{b'password': b'[removed]', b'n': b'y'}"],
  ["a Python string", "{u'password': u'x y'}", "{u'password': u'[removed]'}"],
  ["the DSN of Go", "dial root:hunter2@tcp(db:3306)/shop", "dial [removed]@tcp(db:3306)/shop"],
  ["a reset link", `/reset-password/${HEX}?a=1`, "/reset-password/[removed]?a=1"],
  ["a Django reset link", "/reset/MQ/5xt-9f8e7d6c5b4a3210/", "/reset/MQ/[removed]/"],
  ["a password link", `https://a/password/reset/${WORD}`, "https://a/password/reset/[removed]"],
  ["a verification link", `GET /verify-email/${HEX} 500`, "GET /verify-email/[removed] 500"],
  ["a confirmation link", `/users/confirm/${WORD}`, "/users/confirm/[removed]"],
  ["a signed link", `/confirm/${WORD}.Xw2Kbg.${WORD}`, "/confirm/[removed]"],
  ["a magic link", `/magic-link/${WORD}`, "/magic-link/[removed]"],
  ["an invitation", "/invite/9d8f4c2e-1234-4abc-8def-0123456789ab", "/invite/[removed]"],
  ["an escaped link", `?next=%2Finvite%2F${HEX}`, "?next=%2Finvite%2F[removed]"],
] as const;

/** Tokens by their prefix. */
const TOKENS = [
  ["Errata, a server key", `errata_server_${HEX}`],
  ["Errata, an API token", `errata_${WORD}${WORD}abc`],
  ["HashiCorp Vault", `hvs.${WORD}${WORD}`],
  ["PyPI", `pypi-AgEIcHlwaS5vcmc${WORD}${WORD}`],
  ["Doppler", `dp.st.prd.${WORD}${WORD}`],
  ["Linear", `lin_api_${WORD}${WORD}`],
  ["Figma", `figd_${WORD}-${WORD}`],
  ["Databricks", `dapi${HEX}`],
  ["Square", `sq0atp-${WORD}-_`],
  ["Square, a client secret", `sq0csp-${WORD}${WORD}`],
  ["Sentry, an organization", `sntrys_eyJpYXQiOjE2${WORD}=_${WORD}`],
  ["Sentry, a user", `sntryu_${HEX}${HEX}`],
  ["Mailgun", `key-${HEX}`],
  ["Twilio", `SK${HEX}`],
  ["Telegram", `123456789:AA${WORD}-_abcdefghi12`.slice(0, 45)],
  ["Resend", `re_a1B2c3D4_${WORD}abcd`],
  ["Groq", `gsk_${WORD}${WORD}${WORD}`],
  ["Perplexity", `pplx-${WORD}${WORD}`],
  ["Supabase, an access token", `sbp_${HEX}01234567`],
  ["Supabase, a secret key", `sb_secret_${WORD}-_`],
  ["PlanetScale", `pscale_pw_${WORD}${WORD}`],
  ["age", `AGE-SECRET-KEY-1${"QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2).slice(0, 58)}`],
  ["Firebase Cloud Messaging", `AAAAa-b_cDE:APA91b${WORD.repeat(7)}`],
] as const;

describe("a secret of a known shape", () => {
  it.each(SHAPES)("is removed: %s", (_name, text, scrubbed) => {
    const once = scrubReport({ ...emptyParsedReport, message: text });
    expect(once.value.message).toBe(scrubbed);
    expect(once.scrubbedCount).toBe(1);
    expect(scrubReport(once.value).scrubbedCount).toBe(0);
  });

  it.each(TOKENS)("is removed wherever it is: a token of %s", (_name, token) => {
    const report: ParsedReport = {
      ...emptyParsedReport,
      message: `refused ${token} twice`,
      request: { url: `https://a.example/me?k=${token}&n=1` },
      detail: { extra: [`"${token}"`] },
    };
    expect(scrubReport(report)).toEqual({
      value: {
        ...report,
        message: "refused [removed] twice",
        request: { url: "https://a.example/me?k=[removed]&n=1" },
        detail: { extra: ['"[removed]"'] },
      },
      scrubbedCount: 3,
    });
  });

  it.each([
    `["password","email"] are required`,
    `get("password", "default")`,
    `{"name":"colour","value":"red"}`,
    "Invalid password:\n    at login (a.js:1:2)",
    "Enter password:\nError",
    "password:\n  - a",
    "password=\nuser=x",
    "PASSWORD=\n\nDEBUG",
    "https://a.example/next-step-test-case",
    "2024-1111-2222-3333",
    "zero\u200bwidth \uff46\uff55\uff4c\uff4c",
  ])("does not hide what has no secret: %j", (message) => {
    expect(scrubReport({ ...emptyParsedReport, message }).value.message).toBe(message);
  });

  it("is removed from data by the name beside it", () => {
    const detail: Json = {
      variables: [{ name: "password", value: "x" }],
      headers: [
        ["authorization", "x"],
        ["accept", "y"],
      ],
      missing: ["password", "email"],
      "pass\u200bword": "x",
      "\uff34\uff2f\uff2b\uff25\uff2e": "x",
      argv: ["sshpass", "-p", "x", "ssh"],
    };
    const attachments = [
      { name: "a.json", type: "application/json", text: JSON.stringify(detail) },
    ];
    const report = { ...emptyParsedReport, detail, attachments } as unknown as ParsedReport;
    const { value } = scrubReport(report);
    const scrubbed = {
      variables: [{ name: "password", value: "[removed]" }],
      headers: [
        ["authorization", "[removed]"],
        ["accept", "y"],
      ],
      missing: ["password", "email"],
      "pass\u200bword": "[removed]",
      "\uff34\uff2f\uff2b\uff25\uff2e": "[removed]",
      argv: ["sshpass", "-p", "[removed]", "ssh"],
    };
    expect(value.detail).toEqual(scrubbed);
    const text = JSON.stringify(value.attachments);
    expect(text).not.toContain('\\"x\\"},');
    expect(text).toContain('[\\"authorization\\",\\"[removed]\\"]');
    expect(text).toContain('\\"name\\":\\"password\\",\\"value\\":\\"[removed]\\"');
  });

  it("is removed as the password or the user of a DSN", () => {
    const message = `dsn https://errata_server_${HEX}@errata.example/1`;
    const scrubbed = "dsn https://[removed]@errata.example/1";
    expect(scrubReport({ ...emptyParsedReport, message }).value.message).toBe(scrubbed);
  });

  it("is removed from the address of a Telegram bot and of a Discord webhook", () => {
    const bot = `https://api.telegram.org/bot123456789:AA${WORD}abcdefghijklm/sendMessage`;
    const hook = `https://discord.com/api/webhooks/112233445566778899/${WORD}${WORD}`;
    expect(scrubReport({ ...emptyParsedReport, message: `${bot} ${hook}` }).value.message).toBe(
      "https://api.telegram.org/bot[removed]/sendMessage https://discord.com/api/webhooks/112233445566778899/[removed]",
    );
  });

  it("is removed from the page token of a URL, in every text", () => {
    const token = encodePageToken(new Uint8Array(14).fill(16), new Uint8Array(12).fill(255));
    const url = `https://a.example/m?a=1&t=${token}`;
    const scrubbed = "https://a.example/m?a=1&t=[removed]";
    const report: ParsedReport = {
      ...emptyParsedReport,
      message: `POST ${url} failed; /log?u=%2Fm%3Ft%3D${token}`,
      breadcrumbs: [{ message: `GET ${url}` }],
      detail: { body: { blockedURL: url } },
      request: { route: "/" },
    };
    expect(scrubReport(report).value).toEqual({
      ...report,
      message: `POST ${scrubbed} failed; /log?u=%2Fm%3Ft%3D[removed]`,
      breadcrumbs: [{ message: `GET ${scrubbed}` }],
      detail: { body: { blockedURL: scrubbed } },
    });
  });

  it.each<[Json, Json]>([
    [
      ["curl", "-u", "jane:hunter2", "https://a/"],
      ["curl", "-u", "[removed]", "https://a/"],
    ],
    [
      ["/usr/bin/curl", "-sSfu", "jane:hunter2", "--user=jane:hunter2", "-ujane:hunter2"],
      ["/usr/bin/curl", "-sSfu", "[removed]", "--user=[removed]", "-u[removed]"],
    ],
    [
      ["mysqldump", "-uroot", "-phunter2", "shop"],
      ["mysqldump", "-uroot", "-p[removed]", "shop"],
    ],
    [
      ["docker", "run", "-u", "1000:1000", "-p80:80", "mysql"],
      ["docker", "run", "-u", "1000:1000", "-p80:80", "mysql"],
    ],
    [
      ["curl", "-u", "jane", "-p"],
      ["curl", "-u", "jane", "-p"],
    ],
  ])("is removed from the short options of curl and mysql: %j", (argv, scrubbed) => {
    const once = scrubReport({ ...emptyParsedReport, detail: { extra: { argv } } });
    expect(once.value.detail).toEqual({ extra: { argv: scrubbed } });
    expect(scrubReport(once.value)).toEqual({ value: once.value, scrubbedCount: 0 });
  });

  it.each([
    [
      "const xml = `<password>hunter2</password>`;",
      "const xml = `<password>[removed]</password>`;",
    ],
    [`run("dump --password 'hunter2' shop");`, `run("dump --password '[removed]' shop");`],
    ["  dump --password hunter2 shop", "  dump --password [removed] shop"],
    [`curl -H "X-Api-Key: ${WORD}"`, `curl -H "X-Api-Key: [removed]"`],
  ])("is removed from source code: %s", (source, scrubbed) => {
    const frames = [{ inApp: true, source }];
    expect(scrubReport({ ...emptyParsedReport, frames }).value.frames).toEqual([
      { inApp: true, source: scrubbed },
    ]);
  });

  it.each<[Json, Json]>([
    [
      ["manage.py", "--password", "a b", "-v"],
      ["manage.py", "--password", "[removed]", "-v"],
    ],
    [
      ["run", "--db-pass=x", "--token", "-v"],
      ["run", "--db-pass=[removed]", "--token", "-v"],
    ],
    [
      ["run", "--pin", 1234, "--port", 80],
      ["run", "--pin", "[removed]", "--port", 80],
    ],
  ])("is removed from the arguments of a program: %j", (argv, scrubbed) => {
    const report = { ...emptyParsedReport, detail: { extra: { "sys.argv": argv } } };
    const once = scrubReport(report);
    expect(once.value.detail).toEqual({ extra: { "sys.argv": scrubbed } });
    expect(scrubReport(once.value).scrubbedCount).toBe(0);
    const attachments = [{ name: "f", bytes: 1, text: JSON.stringify(argv) }];
    const file = scrubReport({ ...emptyParsedReport, attachments }).value.attachments?.[0]?.text;
    expect(JSON.parse(file ?? "")).toEqual(scrubbed);
  });
});

describe("a harmless text", () => {
  it.each([
    "secret: not found",
    "password: must be at least 8 characters",
    "Password: is required",
    "token: invalid or expired",
    "the option --password is required",
    "unknown option --token",
    "error: --api-key must not be empty",
    "use --password or --token-file",
    "pg_dump --no-password shop",
    "run --password-file /run/secrets/db -v",
    "docker run -u 1000:1000 app",
    "curl: (6) Could not resolve host: db.example",
    "curl -X POST -H 'Accept: text/plain' https://a.example/",
    "mysql: [Warning] Using a password on the command line",
    "mysql -u root -P 3306 shop",
    "3 tests pass: 12 of 12, bypass=1, renderPass=shadow",
    "compass=north, passes=3, passthrough=all, pass_rate=1",
    "max_tokens=4096 prompt_tokens: 12, total_tokens=512",
    "<label>Password</label><b>token</b>",
    `<input name="password" type="text">`,
    `x; name="page"\r\n\r\nvalue\r\n--b`,
    "at 4111.111111111111 ms, 4.1111, version 4111.1111.1111",
    "/verify/page-9f8e7d6c5b4a3210.js:1:200",
    "/_next/static/chunks/app/invite/page-9f8e7d6c5b4a3210.js",
    "/confirm/how-to-confirm-an-order-in-two-steps",
    "/reset/all, /verify/12345, /magic-link/sent",
    "/srv/verify-service/node_modules/react-dom-server/index.js:10",
    "SKU-1234, SKILLS, the key-value store, key-board",
    "re_export, re_render_count_of_components",
    "dapi is short, sq0 too, hvs. also, pypi-server failed",
    "12:AAA and 2026:AABB",
    "a:b@tcp and tcp(127.0.0.1:3306)",
    "-----BEGIN PGP PUBLIC KEY BLOCK-----",
    "b'page': b'1'",
    "--- a/password.ts\n+++ b/password.ts",
    "the session-id-less and -token-less",
  ])("stays: %j", (message) => {
    const report = { ...emptyParsedReport, message };
    expect(scrubReport(report)).toEqual({ value: report, scrubbedCount: 0 });
  });

  it.each([
    "<Password>{user.password}</Password>",
    "<Password>Enter a password</Password>",
    `run(\`dump --password \${password1} shop\`);`,
    "run('dump --password ' + password1 + ' shop');",
    `option("--password", "The password of the database");`,
    "left --token.length1",
    "  password: user.password2,",
    `headers = \`X-Api-Key: \${apiKey1}\`;`,
    "const x = isA-password : getPassword1();",
  ])("stays in source code: %s", (source) => {
    const report = { ...emptyParsedReport, frames: [{ inApp: true, source }] };
    expect(scrubReport(report)).toEqual({ value: report, scrubbedCount: 0 });
  });

  it("stays in data", () => {
    const detail = {
      usage: { prompt_tokens: 12, total_tokens: 30, max_tokens: 4096 },
      renderPass: 2,
      passed: 3,
      bypass: "a",
      elapsed: 4111.111111111111,
      args: ["--verbose", "yes", "--password-file", "/run/db"],
    };
    expect(scrubReport({ ...emptyParsedReport, detail })).toEqual({
      value: { ...emptyParsedReport, detail },
      scrubbedCount: 0,
    });
  });
});
