// The figures of the rounds: medians, and ratios of cases of the same round.

import { computeMedian, computeRatio, type Ratio } from "../command/statistics.ts";
import type { Sent } from "../rig/sender.ts";
import type { Case } from "./cases.ts";
import type { Revision } from "./workers.ts";

export type Round = Pick<Sent, "answered" | "failed" | "failures" | "p50Ms" | "p99Ms"> & {
  perSecond: number;
  /** CPU time per answered request, in µs, including the work after its response. */
  cpuUs: number;
};

/** A case of a revision. */
export interface Played {
  case: Case;
  of: Revision["name"];
  /** The rounds by their number of connections. */
  rounds: Map<number, Round[]>;
}

/** The medians of the rounds. A ratio is null without a case to compare with. */
export interface Line {
  name: string;
  title: string;
  of: Revision["name"];
  connections: number;
  cpuUs: number;
  bare: Ratio | null;
  reference: Ratio | null;
  /** This revision's CPU time as a multiple of the other one's. */
  other: Ratio | null;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
  failures: readonly string[];
}

/** The figures of the played cases. */
export function computeLines(played: readonly Played[]): Line[] {
  return played.flatMap(({ case: { name, title, bare, reference }, of, rounds: byConnections }) =>
    [...byConnections].map(([connections, rounds]) => {
      const good = rounds.filter(({ answered }) => answered > 0);
      const compute = (figure: "cpuUs" | "perSecond" | "p50Ms" | "p99Ms") =>
        computeMedian(good.map((round) => round[figure]));
      // A reference case runs in this revision only.
      const compare = (other: string | undefined, whose: string) => {
        const found = played.find((one) => one.case.name === other && one.of === whose);
        const others = found?.rounds.get(connections) ?? [];
        return computeRatio(listCpu(rounds), listCpu(others));
      };
      return {
        ...{ name, title, of, connections },
        bare: compare(bare, "this"),
        reference: compare(reference, "this"),
        other: of === "this" ? compare(name, "other") : null,
        ...{ cpuUs: compute("cpuUs"), perSecond: compute("perSecond") },
        ...{ p50Ms: compute("p50Ms"), p99Ms: compute("p99Ms") },
        failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
        failures: rounds.flatMap(({ failures }) => failures.map((one) => one.join(" ×"))),
      };
    }),
  );
}

function listCpu(rounds: readonly Round[]): number[] {
  return rounds.map(({ cpuUs }) => cpuUs);
}
