import { describe, expect, it } from "vitest";
import { findCulprit, formatTitle } from "#src/core/report/title.ts";
import type { Frame } from "#src/core/report.ts";

describe("formatTitle", () => {
  const cases = [
    {
      name: "type and message",
      type: "TypeError",
      message: "no error boundary here",
      title: "TypeError: no error boundary here",
    },
    { name: "the type alone without a message", type: "Null", message: "", title: "Null" },
    { name: "the message alone without a type", type: "", message: "gone", title: "gone" },
    {
      name: "the message alone if it begins with the type",
      type: "TypeError",
      message: "TypeError: gone",
      title: "TypeError: gone",
    },
    {
      name: "a single line",
      type: "Error",
      message: "two\n  lines\tof it",
      title: "Error: two lines of it",
    },
    {
      name: "at most 200 characters",
      type: "Error",
      message: "x".repeat(300),
      title: `Error: ${"x".repeat(192)}…`,
    },
  ];
  for (const { name, type, message, title } of cases) {
    it(`is ${name}`, () => expect(formatTitle({ type, message })).toBe(title));
  }
});

describe("findCulprit", () => {
  const frame = (name: string | undefined, file: string, inApp = true): Frame => ({
    ...(name !== undefined && { function: name }),
    file,
    inApp,
  });
  const cases: { name: string; frames: readonly Frame[]; culprit: string | undefined }[] = [
    {
      name: "names function and file",
      frames: [frame("priceOf", "webpack-internal:///(rsc)/./src/cart.tsx?v=1")],
      culprit: "priceOf · cart.tsx",
    },
    {
      name: "takes the newest frame of the application",
      frames: [frame("f", "react-dom.js", false), frame("Cart.load", "cart.tsx")],
      culprit: "Cart.load · cart.tsx",
    },
    {
      name: "omits a minified name",
      frames: [frame("HTMLButtonElement.n", "http://localhost/browser.js")],
      culprit: "browser.js",
    },
    {
      name: "omits a hash",
      frames: [frame("new Cart", "https://cdn.example/cart-3f9a2b1c.js")],
      culprit: "new Cart · cart.js",
    },
    {
      name: "omits Turbopack's hash",
      frames: [frame("eT", "/x/[root-of-the-server]__0aku18d3ngebw._.js")],
      culprit: "[root-of-the-server].js",
    },
    {
      name: "keeps a source file's own name",
      frames: [frame(undefined, "src/step-checkout2.tsx")],
      culprit: "step-checkout2.tsx",
    },
    {
      name: "reads Windows paths",
      frames: [frame("main", "C:\\app\\main.ts")],
      culprit: "main · main.ts",
    },
    {
      name: "is undefined when nothing is left",
      frames: [frame("Object.<anonymous>", "/assets/3f9a2b1c9d.js")],
      culprit: undefined,
    },
    {
      name: "is undefined without a frame of the application",
      frames: [frame("render", "react-dom.js", false)],
      culprit: undefined,
    },
    { name: "is undefined without frames", frames: [], culprit: undefined },
  ];
  for (const { name, frames, culprit } of cases) {
    it(name, () => expect(findCulprit(frames)).toBe(culprit));
  }

  const frames: readonly Frame[] = [
    { function: "total", module: "com.acme.billing.Bill", file: "Bill.java", inApp: true },
  ];
  it.each([
    { platform: "java", culprit: "total · com.acme.billing.Bill" },
    { platform: "dotnet", culprit: "total · com.acme.billing.Bill" },
    { platform: "python", culprit: "total · Bill.java" },
    { platform: undefined, culprit: "total · Bill.java" },
  ] as const)("for $platform is $culprit", ({ platform, culprit }) => {
    expect(findCulprit(frames, platform)).toBe(culprit);
  });

  it("without a file names the module, else the image", () => {
    const inApp = true;
    expect(findCulprit([{ function: "total", module: "shop", inApp }])).toBe("total · shop");
    expect(findCulprit([{ function: "total", package: "/lib/libshop.so", inApp }], "native")).toBe(
      "total · libshop.so",
    );
  });
});
