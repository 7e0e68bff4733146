import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import type { ParsedReport } from "#src/core/report.ts";
import { scrubReport } from "#src/core/scrubbing/scrub.ts";
import { emptyParsedReport } from "#support/reports/reports.ts";

const BOTH = { email: true, ip: true };

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
