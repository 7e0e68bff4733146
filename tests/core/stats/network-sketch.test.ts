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

/** At most two of each provider count. */
function countExpected(networks: readonly string[]): number {
  const distinct = [...new Set(networks)];
  const providers = [...new Set(distinct.map((network) => network.slice(3)))];
  const counted = providers.flatMap((provider) =>
    distinct.filter((network) => network.slice(3) === provider).slice(0, 2),
  );
  return Math.min(counted.length, MAX_NETWORKS);
}
const join = (networks: readonly string[]) =>
  networks.reduce<string | undefined>(mergeNetworkSketches, undefined);

describe("a sketch of networks", () => {
  it("counts each network once, up to its limit, in any order", () => {
    fc.assert(
      fc.property(fc.array(aNetwork, { minLength: 1, maxLength: 40 }), (networks) => {
        const sketch = join(networks);
        expect(sketch).toMatch(NETWORK_SKETCH);
        expect(countNetworks(sketch)).toBe(countExpected(networks));
        expect(join(networks.toReversed())).toBe(sketch);
        const half = networks.length >> 1;
        const parts = [join(networks.slice(0, half)), join(networks.slice(half))] as const;
        expect(mergeNetworkSketches(...parts)).toBe(sketch);
      }),
    );
  });

  it("counts two networks of one provider, and all others beside them", () => {
    const provider = Uint8Array.of(9, 9, 9);
    const ofOne = Array.from({ length: 200 }, (_, n) =>
      createNetworkSketch(Uint8Array.of(n, n, n), provider),
    );
    expect(countNetworks(join(ofOne))).toBe(2);
    const others = Array.from({ length: 20 }, (_, n) =>
      createNetworkSketch(Uint8Array.of(200 + n, n, n)),
    );
    expect(countNetworks(join([...ofOne, ...others]))).toBe(MAX_NETWORKS);
  });

  it("has no more than three bytes of a hash", () => {
    expect(createNetworkSketch(new Uint8Array([1, 2, 255, 4]))).toBe("0102ff");
    expect(countNetworks(undefined)).toBe(0);
  });
});
