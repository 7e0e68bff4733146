import { describe, expect, it } from "vitest";
import { describeFrame } from "#src/core/report/frame-place.ts";
import type { Frame } from "#src/core/report.ts";

describe("a frame on a page", () => {
  const rows: readonly { frame: Omit<Frame, "inApp">; expected: object }[] = [
    {
      frame: { function: "total", file: "/srv/shop/cart.js", module: "cart" },
      expected: { name: "total", place: "/srv/shop/cart.js" },
    },
    {
      frame: { function: "total", file: "shop/cart.py", module: "shop.cart" },
      expected: { name: "total", place: "shop/cart.py" },
    },
    {
      frame: { function: "Shop.Cart.total/1", file: "lib/cart.ex", module: "Shop.Cart" },
      expected: { name: "Shop.Cart.total/1", place: "lib/cart.ex" },
    },
    {
      frame: { function: "total", file: "Bill.java", module: "com.acme.Bill" },
      expected: { name: "total", module: "com.acme.Bill", place: "Bill.java" },
    },
    {
      frame: { function: "total", module: "com.acme.Bill" },
      expected: { name: "total", place: "com.acme.Bill" },
    },
    {
      frame: { address: "0x7fff2041e9c2", package: "/usr/lib/libc.so.6" },
      expected: { name: "0x7fff2041e9c2", place: "/usr/lib/libc.so.6" },
    },
    {
      frame: { function: "total", file: "bill.c", package: "/opt/shop" },
      expected: { name: "total", module: "/opt/shop", place: "bill.c" },
    },
    { frame: {}, expected: { name: "(anonymous)" } },
  ];
  it.each(rows)("$frame: $expected", ({ frame, expected }) => {
    expect(describeFrame({ ...frame, inApp: true })).toEqual(expected);
  });
});
