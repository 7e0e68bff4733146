import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FixEvent } from "#src/core/issue/fix-event.ts";
import {
  addFixEvent,
  type FixRecord,
  findCurrentChange,
  joinFixRecords,
  reopenFix,
  undoReopening,
} from "#src/core/issue/fix-record.ts";
import {
  FIX_STATES,
  type FixState,
  getFixStatus,
  isProven,
  needsReleasesForFix,
} from "#src/core/issue/fix-status.ts";
import type { Decision } from "#src/core/issue/issue.ts";
import type { ReleaseSummary } from "#src/core/release/release-summary.ts";
import type { Trust } from "#src/core/trust/trust.ts";
import { DAY_MS } from "#src/core/utc-time.ts";

const START_MS = Date.UTC(2026, 10, 20);
const at = (hours: number) => START_MS + hours * 3_600_000;
const NOW_MS = START_MS + 5 * DAY_MS;
const PULL = "https://github.com/acme/shop/pull/5";

const event = (kind: FixEvent["kind"], hours: number, over: object = {}): FixEvent => ({
  kind,
  url: PULL,
  atMs: at(hours),
  ...over,
});

const resolved = (more: Partial<Decision> = {}): Decision => ({
  v: 2,
  state: "resolved",
  atMs: at(10),
  ...more,
});
const RETURNED: Decision = { v: 2, state: "open", atMs: at(10), regressedAtMs: at(20) };

const release = (name: string, hours: number, started = 0, trust: Trust = "server") =>
  ({
    ...{ name, trust, issueCount: 1, newIssueCount: 0, regressedCount: 0, fixedCount: 0 },
    firstSeenMs: at(hours),
    ...(started > 0 && { sessions: { started, errored: 0, crashed: 0, days: [] } }),
  }) satisfies ReleaseSummary;
const BEFORE = release("shop@1.4.1", -10, 300);

interface Facts {
  readonly events?: readonly FixEvent[];
  readonly record?: FixRecord;
  readonly decision?: Decision;
  readonly releases?: readonly ReleaseSummary[];
}

const read = ({ events = [], record = {}, decision, releases = [BEFORE] }: Facts) =>
  getFixStatus(
    events.reduce(addFixEvent, record),
    {
      ...{ count: 9, publicCount: 0, pageCount: 0, trust: "server", decision },
      firstSeenMs: at(-20),
      releases: { values: [["shop@1.4.1", 9, 0, 0]], otherCount: 0 },
    },
    releases,
    NOW_MS,
  );

const fixedIn = resolved({ release: "shop@1.4.2" });
const pull6 = { url: `${PULL}6` };

const CASES: readonly (readonly [name: string, facts: Facts, state: FixState])[] = [
  ["nothing happened", {}, "none"],
  ["a person resolved it, and no change is known", { decision: resolved() }, "none"],
  ["a change is proposed", { events: [event("proposed", 1)] }, "proposed"],
  ["it is closed", { events: [event("proposed", 1), event("closed", 2)] }, "none"],
  ["only its close is known", { events: [event("closed", 2)] }, "none"],
  [
    "it is opened again",
    { events: [event("proposed", 1), event("closed", 2), event("proposed", 3)] },
    "proposed",
  ],
  [
    "it was opened and closed at the same time",
    { events: [event("closed", 1), event("proposed", 1)] },
    "none",
  ],
  [
    "one of two changes is closed",
    { events: [event("proposed", 1), event("closed", 3), event("proposed", 2, pull6)] },
    "proposed",
  ],
  ["it is merged", { events: [event("proposed", 1), event("merged", 2)] }, "merged"],
  ["its merge arrives first", { events: [event("merged", 2), event("proposed", 1)] }, "merged"],
  ["only its merge is known", { events: [event("merged", 2)] }, "merged"],
  ["a close follows its merge", { events: [event("merged", 2), event("closed", 3)] }, "merged"],
  [
    "another change is proposed after the merge",
    { events: [event("merged", 2), event("proposed", 3, pull6)] },
    "merged",
  ],
  ["a member says which release will have it", { decision: fixedIn }, "merged"],
  [
    "a member says the next release has it",
    { decision: resolved({ inNextRelease: true }) },
    "merged",
  ],
  [
    "a release has its commit",
    { events: [event("merged", 2)], record: { deployed: { release: "shop@1.4.2", atMs: at(3) } } },
    "deployed",
  ],
  [
    "the release of the decision was seen",
    { decision: fixedIn, releases: [BEFORE, release("shop@1.4.2", 12)] },
    "deployed",
  ],
  [
    "a later release was seen",
    { decision: fixedIn, releases: [BEFORE, release("shop@1.5.0", 12)] },
    "deployed",
  ],
  [
    "a stranger names the release",
    { decision: fixedIn, releases: [BEFORE, release("shop@1.4.2", 12, 900, "public")] },
    "merged",
  ],
  [
    "the next release was seen",
    { decision: resolved({ inNextRelease: true }), releases: [BEFORE, release("shop@1.4.2", 12)] },
    "deployed",
  ],
  [
    "its change is merged, and a person resolved it now",
    { events: [event("merged", 2)], decision: resolved() },
    "deployed",
  ],
  [
    "the sessions of the release are too few",
    { decision: fixedIn, releases: [BEFORE, release("shop@1.4.2", 12, 99)] },
    "deployed",
  ],
  [
    "the sessions of the release prove it",
    { decision: fixedIn, releases: [BEFORE, release("shop@1.4.2", 12, 100)] },
    "proven",
  ],
  [
    "the sessions of the next release prove it",
    {
      decision: resolved({ inNextRelease: true }),
      releases: [BEFORE, release("shop@1.4.2", 12, 4_102)],
    },
    "proven",
  ],
  [
    "a merge arrives late, after the proof",
    {
      events: [event("merged", 2)],
      decision: fixedIn,
      releases: [BEFORE, release("shop@1.4.2", 12, 4_102)],
    },
    "proven",
  ],
  ["it came back", { decision: RETURNED, record: { cameBackMs: at(20) } }, "came-back"],
  [
    "it came back: the earlier change did not fix it",
    {
      events: [event("proposed", 1), event("merged", 2)],
      decision: RETURNED,
      record: { cameBackMs: at(20) },
    },
    "came-back",
  ],
  [
    "an event of the earlier fix arrives late",
    { events: [event("merged", 19)], decision: RETURNED, record: { cameBackMs: at(20) } },
    "came-back",
  ],
  [
    "another change is proposed after the return",
    {
      events: [event("merged", 2), event("proposed", 21, pull6)],
      decision: RETURNED,
      record: { cameBackMs: at(20) },
    },
    "proposed",
  ],
  [
    "another change is merged after the return",
    {
      events: [event("proposed", 21, pull6), event("merged", 22, pull6)],
      decision: RETURNED,
      record: { cameBackMs: at(20) },
    },
    "merged",
  ],
  [
    "it is fixed after the return",
    {
      decision: resolved({ release: "shop@1.6.0", atMs: at(30) }),
      record: { cameBackMs: at(20) },
      releases: [BEFORE, release("shop@1.6.0", 31, 4_102)],
    },
    "proven",
  ],
  [
    "another change was merged after the release",
    {
      events: [event("merged", 2), event("merged", 5, { ...pull6, commit: "3f2a9c1b04" })],
      record: { deployed: { release: "shop@1.4.2", atMs: at(3), commit: "0a1b2c3d4e" } },
      decision: resolved({ inNextRelease: true }),
    },
    "merged",
  ],
  [
    "the host says after the release that it was merged",
    {
      events: [event("merged", 5, { commit: "0a1b2c3d4e" })],
      record: { deployed: { release: "shop@1.4.2", atMs: at(3), commit: "0a1b2c3d4e" } },
    },
    "deployed",
  ],
  [
    "a member opened it again after the release",
    {
      events: [event("merged", 2)],
      record: { deployed: { release: "shop@1.4.2", atMs: at(3) } },
      decision: { v: 2, state: "open", atMs: at(4) },
    },
    "merged",
  ],
];

describe("the state of a fix", () => {
  it.each(CASES)("if %s", (_, facts, state) => {
    expect(read(facts).state).toBe(state);
  });

  it("every state is reached", () => {
    expect(new Set(CASES.map(([, , state]) => state))).toEqual(new Set(FIX_STATES));
  });

  it.each(CASES)(
    "if %s, it does not depend on the order or number of events",
    (_, facts, state) => {
      const { events = [] } = facts;
      fc.assert(
        fc.property(
          fc.shuffledSubarray([...events, ...events], { minLength: 2 * events.length }),
          (shuffled) => {
            expect(read({ ...facts, events: shuffled })).toEqual(read(facts));
            expect(read({ ...facts, events: shuffled }).state).toBe(state);
          },
        ),
        { numRuns: 20 },
      );
    },
  );
});

describe("after an issue was opened again, only newer changes are current", () => {
  const merged = [event("proposed", 1), event("merged", 2, { commit: "3f2a9c1" })];
  const deployed = { release: "shop@1.4.2", atMs: at(3), commit: "3f2a9c1" };
  /** The states in which an issue may be opened again, by a member or because it occurs again. */
  const BEFORE_IT: readonly (readonly [name: string, facts: Facts])[] = [
    ["nothing was known", {}],
    ["a change was proposed", { events: [event("proposed", 1)] }],
    ["a change was merged", { events: merged }],
    ["a change was deployed", { events: merged, record: { deployed } }],
    ["it had come back before", { events: merged, record: { cameBackMs: at(4) } }],
    ["it had been opened before", { events: merged, record: { reopenedMs: at(4) } }],
    ["another change was merged then", { events: merged, record: { cameBackMs: at(1) } }],
  ];
  const OPENED: Decision = { v: 2, state: "open", atMs: at(20) };
  const WAYS = [
    ["by a member", { reopenedMs: at(20) }, OPENED, "none"],
    ["because it came back", { cameBackMs: at(20) }, RETURNED, "came-back"],
  ] as const;
  /** What happens afterwards, and the state if nothing else is known. */
  const AFTER_IT: readonly (readonly [name: string, events: FixEvent[], state?: FixState])[] = [
    ["nothing", []],
    ["the host sends the old merge again", [event("merged", 2)]],
    ["a merge of before arrives late", [event("merged", 19, pull6)]],
    ["a change is closed", [event("closed", 21)]],
    ["the old change is opened again", [event("proposed", 21)], "proposed"],
    ["another change is proposed", [event("proposed", 21, pull6)], "proposed"],
    ["another change is merged", [event("merged", 22, pull6)], "merged"],
    ["the old change is merged again", [event("merged", 22)], "merged"],
  ];
  const all = BEFORE_IT.flatMap(([before, facts]) =>
    WAYS.flatMap(([way, opened, decision, otherwise]) =>
      AFTER_IT.map(([after, events, state = otherwise]) => {
        const { deployed: known, ...record } = facts.record ?? {};
        // A return forgets the release; a member who opens the issue does not.
        const kept = "reopenedMs" in opened && known !== undefined ? { deployed: known } : {};
        const later = { ...facts, record: { ...record, ...kept, ...opened }, decision };
        return { before, way, after, later, events, state };
      }),
    ),
  );

  it.each(all)(
    "$before, it was opened $way, then $after: $state",
    ({ later, events, state, way }) => {
      const facts = { ...later, events: [...(later.events ?? []), ...events] };
      // A record has one event of each kind of a change: a merge that is sent again replaces it.
      expect(read(facts).state).toBe(state);
      // Resolved again by a person, without a word about the change.
      if (way === "by a member" && state === "none")
        expect(read({ ...facts, decision: resolved({ atMs: at(30) }) }).change).toBeUndefined();
    },
  );

  it("an undo makes the changes of before current again", () => {
    const record = merged.reduce(addFixEvent, {});
    const reopened = reopenFix(record, at(20));
    expect(findCurrentChange(reopened)).toBeUndefined();
    expect(undoReopening(reopened, at(20), undefined)).toEqual(record);
    expect(undoReopening(reopened, at(20), at(5))).toEqual({ ...record, reopenedMs: at(5) });
    expect(undoReopening(reopened, at(19), undefined)).toEqual(reopened);
    expect(undoReopening(reopenFix(undefined, 1), 1, undefined)).toBeUndefined();
  });

  it("a merge of issues keeps the later opening", () => {
    expect(joinFixRecords({ reopenedMs: at(3) }, { reopenedMs: at(2) })?.reopenedMs).toBe(at(3));
    expect(joinFixRecords({}, { reopenedMs: at(2) })?.reopenedMs).toBe(at(2));
  });
});

describe("the status of a fix", () => {
  it("names the change, the times, the release and the proof", () => {
    expect(
      read({
        events: [event("proposed", 1, { title: "Fix" }), event("merged", 2, { commit: "3f2a9c1" })],
        decision: fixedIn,
        releases: [BEFORE, release("shop@1.4.2", 12, 4_102)],
      }),
    ).toEqual({
      state: "proven",
      change: { url: PULL, commit: "3f2a9c1" },
      proposedMs: at(1),
      mergedMs: at(2),
      deployedMs: at(12),
      release: "shop@1.4.2",
      proof: {
        release: "shop@1.4.2",
        since: { reports: 0, sessions: 4_102 },
        before: { reports: 9, sessions: 300 },
      },
    });
  });

  it("has the return until another fix is deployed, and no hand-off from before it", () => {
    const handOff = { atMs: at(1), to: "a", name: "Agent", message: "msg_1_1" };
    const again = { ...handOff, atMs: at(21), message: "msg_1_2", isReturn: true as const };
    const record = { cameBackMs: at(20), handOffs: [handOff] };
    expect(read({ decision: RETURNED, record })).toEqual({
      state: "came-back",
      cameBackMs: at(20),
    });
    expect(
      read({ decision: RETURNED, record: { ...record, handOffs: [handOff, again] } }).handOff,
    ).toEqual(again);
  });
});

it.each([
  ["reports after the fix", { since: { reports: 1, sessions: 9_999 } }, false],
  ["too few sessions, without a rate", { since: { reports: 0, sessions: 99 } }, false],
  ["enough sessions, without a rate", { since: { reports: 0, sessions: 100 } }, true],
  [
    "two reports expected",
    { since: { reports: 0, sessions: 20 }, before: { reports: 1, sessions: 10 } },
    false,
  ],
  [
    "three reports expected",
    { since: { reports: 0, sessions: 30 }, before: { reports: 1, sessions: 10 } },
    true,
  ],
])("%s: proven is %s", (_, proof, expected) => {
  expect(isProven({ release: "1.4.2", ...proof })).toBe(expected);
});

it("needs releases only for a fix in a release", () => {
  expect(needsReleasesForFix(undefined, { decision: fixedIn })).toBe(true);
  expect(needsReleasesForFix({ deployed: { release: "1", atMs: 1 } }, {})).toBe(true);
  expect(needsReleasesForFix({}, { decision: resolved() })).toBe(false);
  expect(needsReleasesForFix(undefined, { decision: RETURNED })).toBe(false);
});
