import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countNetworks,
  createNetworkSketch,
  MAX_NETWORKS,
  mergeNetworkSketches,
  NETWORK_SKETCH,
} from "#src/core/stats/network-sketch.ts";

const aNetwork = fc
  .uint8Array({ minLength: 3, maxLength: 32 })
  .map((hash) => createNetworkSketch(hash));
const join = (networks: readonly string[]) =>
  networks.reduce<string | undefined>(mergeNetworkSketches, undefined);

describe("a sketch of networks", () => {
  it("counts each network once, up to its limit, in any order", () => {
    fc.assert(
      fc.property(fc.array(aNetwork, { minLength: 1, maxLength: 40 }), (networks) => {
        const sketch = join(networks);
        expect(sketch).toMatch(NETWORK_SKETCH);
        expect(countNetworks(sketch)).toBe(Math.min(new Set(networks).size, MAX_NETWORKS));
        expect(join(networks.toReversed())).toBe(sketch);
        const half = networks.length >> 1;
        const parts = [join(networks.slice(0, half)), join(networks.slice(half))] as const;
        expect(mergeNetworkSketches(...parts)).toBe(sketch);
      }),
    );
  });

  it("has no more than three bytes of a hash", () => {
    expect(createNetworkSketch(new Uint8Array([1, 2, 255, 4]))).toBe("0102ff");
    expect(countNetworks(undefined)).toBe(0);
  });
});
