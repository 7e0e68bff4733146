import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  toClientNetwork,
  toClientSite,
  toSenderNetwork,
  toSenderProvider,
} from "#src/core/client-network.ts";

describe("toClientNetwork", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:DB8:0001:0002::1", "2001:db8:1:2"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["2001:db8::", "2001:db8:0:0"],
    ["2001:0:0:1::9", "2001:0:0:1"],
    ["::1", "0:0:0:0"],
    ["2001::3:4:5:6:7", "2001:0:0:3"],
    ["::ffff:c000:0207", "192.0.2.7"],
    ["0:0:0:0:0:FFFF:7f00:1", "127.0.0.1"],
    ["a:zz", "a:zz"],
    ["somewhere", "somewhere"],
    ["", ""],
  ])("reduces %j to %j", (address, network) => {
    expect(toClientNetwork(address)).toBe(network);
  });

  const group = fc.integer({ min: 0, max: 0xffff }).map((n) => n.toString(16));
  const half = fc.array(group, { minLength: 4, maxLength: 4 });

  it("is equal within a /64 network and different for its neighbor", () => {
    fc.assert(
      fc.property(half, half, half, (network, one, other) => {
        const toNetwork = (host: readonly string[]) =>
          toClientNetwork([...network, ...host].join(":"));
        expect(toNetwork(one)).toBe(toNetwork(other));
        const last = (Number.parseInt(network[3] ?? "", 16) ^ 1).toString(16);
        expect(toClientNetwork([...network.slice(0, 3), last, ...one].join(":"))).not.toBe(
          toNetwork(one),
        );
      }),
    );
  });

  it("accepts any text", () => {
    fc.assert(fc.property(fc.string(), (text) => typeof toClientNetwork(text) === "string"));
  });
});

describe("toClientSite", () => {
  it.each([
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1"],
    ["2001:DB8:0001:ffff::1", "2001:db8:1"],
    ["2001:db8::1", "2001:db8:0"],
    ["::1", "0:0:0"],
    ["192.0.2.7", undefined],
    ["::ffff:192.0.2.7", undefined],
    ["::ffff:c000:0207", undefined],
    ["a:zz", undefined],
    ["", undefined],
  ])("reduces %j to %j", (address, site) => {
    expect(toClientSite(address)).toBe(site);
  });
});

describe("toSenderNetwork", () => {
  it.each([
    ["192.0.2.7", "192.0.2"],
    ["::ffff:192.0.2.250", "192.0.2"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1"],
    ["somewhere", undefined],
    ["", undefined],
  ])("reduces %j to %j", (address, network) => {
    expect(toSenderNetwork(address)).toBe(network);
  });
});

it.each([
  ["2001:db8:5:1::1", "2001:db8"],
  ["2001:0DB8:ffff::", "2001:db8"],
  ["2a00::1", "2a00:0"],
  ["203.0.113.7", undefined],
  ["::ffff:203.0.113.7", undefined],
  ["", undefined],
])("the provider of %j is %j", (address, provider) => {
  expect(toSenderProvider(address)).toBe(provider);
});
