import { describe, expect, it } from "vitest";
import {
  countCommonTail,
  getFileName,
  listMapUrls,
} from "#src/core/symbolication/file-candidates.ts";

describe("paths", () => {
  it("end in a file name that is percent-decoded", () => {
    expect(getFileName("https://a.example/x/%5Broot%5D._.js?v=1")).toBe("[root]._.js");
    expect(getFileName("index.js")).toBe("index.js");
    expect(getFileName("https://a.example/%E0%A4%A.js")).toBe("%E0%A4%A.js");
    expect(getFileName("https://a.example/")).toBe("");
  });

  it("share a tail of segments, whatever the host and the percent-encoding", () => {
    const server = "/srv/order/.next/server/chunks/ssr/[root-of-the-server]__1._.js";
    const url = "~/_next/chunks/ssr/%5Broot-of-the-server%5D__1._.js";
    expect(countCommonTail(server, url)).toBe(3);
    expect(countCommonTail("https://a.example/app.js", "https://b.example/app.js")).toBe(1);
    expect(countCommonTail("~/a.js", "~/b.js")).toBe(0);
  });
});

describe("listMapUrls", () => {
  const cases = [
    { script: "~/assets/app.js", reference: "app.js.map", urls: ["~/assets/app.js.map"] },
    {
      script: "~/assets/app.js",
      reference: "../maps/a.map",
      urls: ["~/maps/a.map", "~/assets/app.js.map"],
    },
    { script: "~/a/app.js", reference: "/maps/a.map", urls: ["~/maps/a.map", "~/a/app.js.map"] },
    { script: "~/a.js", reference: "../../../a.map", urls: ["~/a.map", "~/a.js.map"] },
    {
      script: "https://a.example/js/app.js?v=1",
      reference: "app.js.map",
      urls: ["https://a.example/js/app.js.map", "~/js/app.js.map"],
    },
    {
      script: "~/s/x.js",
      reference: "%5Broot%5D.js.map",
      urls: ["~/s/%5Broot%5D.js.map", "~/s/[root].js.map", "~/s/x.js.map"],
    },
    { script: "~/app.js", reference: "data:application/json,{}", urls: [] },
    { script: "~/app.js", reference: undefined, urls: ["~/app.js.map"] },
  ];
  it.each(cases)("of $script with $reference are $urls", ({ script, reference, urls }) => {
    expect(listMapUrls(script, reference)).toEqual(urls);
  });
});
