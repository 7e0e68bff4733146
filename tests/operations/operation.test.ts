import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { fail, ok } from "#src/core/result.ts";
import { list, tuple } from "#src/core/schema/stored-object.ts";
import { integer, nameText } from "#src/operations/inputs.ts";
import { decideIssue } from "#src/operations/issue-changes.ts";
import {
  type Caller,
  defineOperation,
  defineRead,
  type OperationServices,
} from "#src/operations/operation.ts";
import { byErrata, reported, trustLevel } from "#src/operations/provenance.ts";

const MEMBER: Caller = { actor: { kind: "session", id: "s" }, name: "Ada", role: "member" };

/** Services that record what happens, in order. */
function createServices(registry: Partial<OperationServices["registry"]> = {}) {
  const events: unknown[] = [];
  const services = {
    newId: () => "0".repeat(32),
    nowMs: () => 0,
    logProblem: (cause: unknown) => events.push(`problem: ${cause}`),
    registry: {
      authorizeAction: async (_: unknown, { action, details, subject }: never) => {
        events.push(`started: ${action} ${details} ${subject}`);
        return 7;
      },
      recordOutcome: (sequence: number, { outcome, subject }: never) =>
        events.push(`${sequence}: ${outcome} ${subject}`),
      ...registry,
    },
  } as unknown as OperationServices;
  return { services, events };
}

const rename = defineOperation({
  name: "things.rename",
  summary: "Rename a thing.",
  role: "member",
  effect: "set",
  rate: "change",
  route: "PUT /things/{name}",
  canUndo: true,
  input: v.strictObject({ name: nameText(9, "a name"), times: v.optional(integer(1, 3, "times")) }),
  output: v.strictObject({ name: byErrata("Its name") }),
  reasons: ["unknown-digest"],
  audit: ({ name }, output) => ({
    text: `renamed ${name}`,
    subject: output?.name ?? "a thing",
    isUnchanged: output?.name === "same",
  }),
  messages: { renamed: "Renamed." },
  message: (_, { name }) => ({ kind: "renamed", digests: name === "same" ? [] : [name] }),
  async run({ name }) {
    if (name === "unknown") return fail({ reason: "unknown-digest" });
    if (name === "broken") throw new Error("no answer");
    return ok({ name });
  },
});

const perform = (input: unknown, caller = MEMBER, { services } = createServices()) =>
  rename.perform(input as never, { caller, project: "1", services });

describe("an operation", () => {
  it.each([
    ["Ada", ["7: done Ada"]],
    ["same", ["7: nothing-changed same"]],
    ["unknown", ["7: unknown-digest undefined"]],
    // Whether it was done is unknown.
    ["broken", ["problem: Error: no answer"]],
  ])(
    "of a change is recorded before it runs, and with its outcome after: %s",
    async (name, end) => {
      const { services, events } = createServices();
      await perform({ name }, MEMBER, { services, events });
      expect(events).toEqual([`started: things.rename renamed ${name} a thing`, ...end]);
    },
  );

  it("returns its value, its message, and an id to undo it if anything was changed", async () => {
    const message = { kind: "renamed", digests: ["Ada"] };
    const done = { ok: true, value: { name: "Ada" }, message, undoId: "0".repeat(32) };
    expect(await perform({ name: " Ada " })).toEqual(done);
    expect(await perform({ name: "same" })).not.toHaveProperty("undoId", expect.any(String));
  });

  it.each([
    ["a failure", { name: "unknown" }, "unknown-digest"],
    ["an object that does not answer", { name: "broken" }, "index-unavailable"],
  ])("fails with a reason for %s, which it declares", async (_, input, reason) => {
    expect(await perform(input)).toEqual({ ok: false, reason });
    expect(rename.reasons).toContain(reason);
  });

  it.each([null, "viewer"] as const)("is not done for the role %s", async (role) => {
    const { services, events } = createServices();
    const result = await perform({ name: "Ada" }, { ...MEMBER, role }, { services, events });
    expect(result).toEqual({ ok: false, reason: "forbidden" });
    expect(events).toEqual([]);
  });

  it.each([
    ["does not permit it", async (): Promise<null> => null, "forbidden"],
    [
      "is unavailable",
      (): Promise<null> => Promise.reject(new Error("down")),
      "registry-unavailable",
    ],
  ] as const)("is not done if the registry %s", async (_, authorizeAction, reason) => {
    const { services } = createServices({ authorizeAction });
    expect(await perform({ name: "Ada" }, MEMBER, { services, events: [] })).toEqual({
      ok: false,
      reason,
    });
  });

  it("of local access is not recorded", async () => {
    const { services, events } = createServices();
    const local: Caller = { actor: { kind: "local" }, role: "owner" };
    expect(await perform({ name: "Ada" }, local, { services, events })).toMatchObject({ ok: true });
    expect(events).toEqual([]);
  });

  it.each([
    [{}, { name: "a name of at most 9 characters, without control characters" }],
    [{ name: 1 }, { name: expect.stringContaining("a name") }],
    [{ name: "SECRET\0" }, { name: expect.stringContaining("a name") }],
    [{ name: "Ada", times: "SECRET" }, { times: "times, a whole number from 1 to 3" }],
    [{ name: "Ada", times: 9 }, { times: expect.any(String) }],
    [{ name: "Ada", SECRET: 1 }, { "": "an object with only name, times" }],
    [{ name: "Ada", constructor: 1 }, { "": expect.any(String) }],
    [null, { "": expect.any(String) }],
  ])(
    "rejects the input %j with what it expected, and without what was sent",
    async (input, fields) => {
      const { services, events } = createServices();
      const result = await perform(input, MEMBER, { services, events });
      expect(result).toEqual({ ok: false, reason: "invalid-input", fields });
      expect(JSON.stringify(result)).not.toContain("SECRET");
      expect(events).toEqual([]);
    },
  );

  it("that changes something cannot be defined without an entry in the audit log", () => {
    const { name, summary, role, effect, rate, route, input, output } = rename;
    const facts = { name, summary, role, effect, rate, route, input, output };
    expect(() =>
      defineOperation({ ...facts, reasons: [], run: async () => ok({ name: "" }) }),
    ).toThrow("things.rename");
  });
});

describe("the value of an operation", () => {
  const part = v.strictObject({ trust: trustLevel, text: v.optional(reported()) });
  const output = v.strictObject({
    ...{ part, maybe: v.optional(part), none: v.optional(part), missing: v.nullable(part) },
    parts: list(part),
    pair: tuple([part, v.number()]),
    byName: v.record(reported(), part),
    either: v.variant("kind", [
      v.strictObject({ kind: v.literal("a"), part }),
      v.strictObject({ kind: v.picklist(["b", "c"]), part }),
    ]),
  });
  const stored = { trust: "server", text: "x", internal: "SECRET" } as const;
  const shown = { trust: "server", text: "x" } as const;

  it("has no member that only the store knows, at any depth", async () => {
    const read = defineOperation({
      name: "things.get",
      summary: "Read a thing.",
      role: "viewer",
      effect: "read",
      rate: "read",
      route: "GET /things",
      input: v.strictObject({}),
      output,
      reasons: [],
      run: async () =>
        ok({
          ...{ part: stored, maybe: stored, missing: null, parts: [stored], pair: [stored, 1] },
          byName: { name: stored, ["__proto__"]: stored },
          either: { kind: "c", part: stored, internal: "SECRET" },
          internal: "SECRET",
        } as never),
    });
    const { services } = createServices();
    const done = await read.perform({}, { caller: MEMBER, project: "1", services });
    expect(done).toMatchObject({
      ok: true,
      value: {
        ...{ part: shown, maybe: shown, missing: null, parts: [shown], pair: [shown, 1] },
        byName: { name: shown },
        either: { kind: "c", part: shown },
      },
    });
    expect(JSON.stringify(done)).not.toContain("SECRET");
  });
});

describe("a read", () => {
  const outputs: string[] = [];
  const read = defineRead({
    name: "things.get",
    summary: "Read a thing.",
    role: "viewer",
    rate: "read",
    route: "GET /things/{name}",
    input: v.strictObject({ name: nameText(9, "a name") }),
    output: v.strictObject({ name: byErrata(), length: v.number() }),
    reasons: ["unknown-digest"],
    async load({ name }) {
      if (name === "unknown") return fail({ reason: "unknown-digest" });
      if (name === "broken") throw new Error("no answer");
      return ok({ later: name === "late" ? Promise.reject(new Error("late")) : name });
    },
    async toOutput({ later }, { name }) {
      outputs.push(name);
      const text = await later;
      return { name: text, length: text.length, internal: "SECRET" };
    },
  });
  const { services } = createServices();
  const call = { caller: { ...MEMBER, role: "viewer" }, project: "1", services } as const;

  it("gives programs its output, and pages what it loaded, without making the output", async () => {
    const value = { name: "Ada", length: 3 };
    expect(await read.perform({ name: " Ada " }, call)).toEqual({ ok: true, value });
    outputs.length = 0;
    expect(await read.load({ name: " Ada " }, call)).toEqual({ ok: true, value: { later: "Ada" } });
    expect(outputs).toEqual([]);
  });

  it.each([
    ["unknown", "unknown-digest"],
    ["broken", "index-unavailable"],
    // What a page would stream.
    ["late", "index-unavailable"],
  ])("fails with a reason for programs: %s", async (name, reason) => {
    expect(await read.perform({ name }, call)).toEqual({ ok: false, reason });
  });

  it("rejects for a page, which shows the problem in place", async () => {
    await expect(read.load({ name: "broken" }, call)).rejects.toThrow("no answer");
  });

  it("is not loaded for a page without the role, or with invalid input", async () => {
    const stranger = { ...call, caller: { ...MEMBER, role: null } };
    const forbidden = { ok: false, reason: "forbidden" };
    expect(await read.load({ name: "Ada" }, stranger)).toEqual(forbidden);
    expect(read.admit({ name: "Ada" }, stranger)).toEqual(forbidden);
    const invalid = { ok: false, reason: "invalid-input", fields: { name: expect.any(String) } };
    expect(await read.load({ name: "" }, call)).toEqual(invalid);
    expect(read.admit({ name: "" }, call)).toEqual(invalid);
    expect(read.admit({ name: " Ada " }, call)).toEqual({ ok: true, value: { name: "Ada" } });
  });
});

it("has types: run has only the declared reasons and output, perform only the declared input", () => {
  const { name, summary, role, effect, rate, route, input, output } = rename;
  const facts = { name, summary, role, effect, rate, route, input, output } as const;
  const audit = () => ({ text: "renamed" });
  // @ts-expect-error The reason is not declared.
  defineOperation({ ...facts, audit, reasons: [], run: async () => fail({ reason: "too-many" }) });
  // @ts-expect-error The output has another type.
  defineOperation({ ...facts, audit, reasons: [], run: async () => ok({ name: 1 }) });
  // @ts-expect-error The input has no such member.
  void (() => rename.perform({ title: "Ada" }, {} as never));
});

it("says which rule between members an input breaks", async () => {
  const { services } = createServices();
  const call = { caller: MEMBER, project: "1", services };
  const input = { digest: "7F3K-Q2M9", state: "open", count: 3 } as const;
  expect(await decideIssue.perform(input, call)).toMatchObject({
    fields: { "": expect.stringContaining("the other conditions only for snoozed") },
  });
});

describe("a change by an agent", () => {
  const note = defineOperation({
    name: "things.note",
    summary: "Note a thing.",
    role: "member",
    effect: "set",
    rate: "change",
    route: "POST /things/{digest}/note",
    input: v.strictObject({ digest: v.string(), from: v.optional(v.string()) }),
    output: v.strictObject({ digest: byErrata() }),
    reasons: [],
    issues: ({ digest, from = digest }) => [digest, from],
    audit: ({ digest }) => ({ text: `noted ${digest}`, subject: digest }),
    run: async ({ digest }) => ok({ digest }),
  });
  const agent = { deed: "MCP note", program: "claude-code" };

  function createStore(levels: Readonly<Record<string, string>>) {
    const { services, events } = createServices();
    const getFreshIssue = async (digest: string) => {
      if (digest === "away") throw new Error("no answer");
      return levels[digest] === undefined ? null : { trust: levels[digest] };
    };
    return { services: { ...services, projectStore: { getFreshIssue } } as never, events };
  }

  it("has its deed and its program in the audit log", async () => {
    const { services, events } = createStore({ a: "server" });
    const call = { caller: MEMBER, project: "1", services };
    await note.perform({ digest: "a" }, { ...call, agent });
    await note.perform({ digest: "a" }, { ...call, agent: { deed: "MCP note" } });
    await note.perform({ digest: "a" }, call);
    expect(events.filter((event) => `${event}`.startsWith("started"))).toEqual([
      "started: MCP note noted a, with claude-code a",
      "started: MCP note noted a a",
      "started: things.note noted a a",
    ]);
  });

  it.each([
    [{ digest: "a" }, true],
    [{ digest: "page" }, true],
    [{ digest: "unknown" }, true],
    [{ digest: "public" }, "only-public-reports"],
    [{ digest: "a", from: "public" }, "only-public-reports"],
    [{ digest: "away" }, "index-unavailable"],
  ])("is done only if a report of a higher level is its ground: %o", async (input, expected) => {
    const { services, events } = createStore({ a: "server", page: "page", public: "public" });
    const call = { caller: MEMBER, project: "1", services };
    const done = await note.perform(input, { ...call, agent });
    expect(done.ok || done.reason).toBe(expected);
    expect(events.some((event) => `${event}`.startsWith("started"))).toBe(done.ok);
    // People decide by themselves.
    expect(await note.perform(input, call)).toMatchObject({ ok: true });
  });

  it("states this reason only where it can be", () => {
    expect(note.reasons).toContain("only-public-reports");
    expect(rename.reasons).not.toContain("only-public-reports");
  });
});
