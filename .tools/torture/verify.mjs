// The reckoning: what the senders were told, what stands in the record, what the desk counts and what it finds must be one and
// the same. Every difference is a sentence.

/**
 * @typedef {object} Verdict
 * @property {readonly string[]} lost acknowledged, and not where it should be
 * @property {readonly string[]} twice counted or stored more often than it was acknowledged
 * @property {readonly string[]} wrong everything else that should not be
 * @property {number} lookedUp ids that were followed to their body on the desk
 * @property {number} foundLate those of them that were found only when KV's old reads had ended
 * @property {number} issues
 * @property {number} unacknowledged in the record although its sender never heard so, or a failure of Errata's own
 */

const LANES = 8;
const CODES_PER_LOOKUP = 10;
/** A shard that does not answer at once makes the desk a moment old. */
const COUNT_PATIENCE_MS = 10_000;

/**
 * Compares everything. The log must have settled before.
 *
 * @param {object} options
 * @param {import("./books.mjs").Books} options.books
 * @param {import("./record.mjs").Record} options.record
 * @param {import("./faulty-kv.mjs").FaultyKv} options.kv
 * @param {import("./client.mjs").Client} options.client
 * @param {readonly string[]} options.sample ids to follow on the desk
 * @returns {Promise<Verdict>}
 */
export async function verify({ books, record, kv, client, sample }) {
  /** @type {string[]} */
  const lost = [];
  /** @type {string[]} */
  const twice = [];
  const wrong = [...books.contradictions];
  for (const key of new Set(kv.changed)) wrong.push(`${key} was put with other bytes than before`);
  record.read();
  const extra = compareRecord(books, record, { lost, twice, wrong });
  const expected = expectedCounts(books, extra);
  await within(COUNT_PATIENCE_MS, { lost, twice, wrong }, (found) =>
    compareCounts(expected, client, found),
  );
  await within(COUNT_PATIENCE_MS, { lost, twice, wrong }, (found) =>
    compareStatus(books, record, client, found),
  );
  const followed = await followAll(books, sample, client, kv);
  lost.push(...followed.lost);
  return {
    lost,
    twice,
    wrong,
    lookedUp: sample.length,
    foundLate: followed.late,
    issues: expected.size,
    unacknowledged: extra.length,
  };
}

/** @typedef {{ lost: string[], twice: string[], wrong: string[] }} Findings */

/** Every acknowledged id has one line, and that line its body. Gives the lines that nobody was told of.
 * @param {import("./books.mjs").Books} books @param {import("./record.mjs").Record} record @param {Findings} findings */
function compareRecord(books, record, { lost, twice, wrong }) {
  /** @type {Map<string, import("./record.mjs").Line>} */
  const byId = new Map();
  /** @type {Map<string, number>} */
  const perMark = new Map();
  const extra = [];
  for (const line of record.lines()) {
    const { id, mark, key } = line;
    if (byId.has(id)) twice.push(`${id} stands in ${byId.get(id)?.key} and in ${key}`);
    byId.set(id, line);
    const entry = books.events.get(id);
    if (entry && mark !== `torture-${entry.event.n}`) wrong.push(`${id} has another body: ${mark}`);
    if (mark !== null) perMark.set(mark, (perMark.get(mark) ?? 0) + 1);
    const isOurs = entry !== undefined || books.uploads.has(mark ?? "");
    if (!isOurs && line.format !== "render") wrong.push(`${id} in ${key} was sent by nobody`);
    if (!isOurs || (entry === undefined && books.uploads.get(mark ?? "")?.id !== id))
      extra.push(line);
  }
  for (const [id, { end }] of books.events) {
    if (end === undefined) wrong.push(`${id} was never acknowledged`);
    if (end === "accepted" && !byId.has(id)) lost.push(`${id} is not in the record`);
  }
  for (const [mark, { end, exact, id = "", sent }] of books.uploads) {
    const stored = perMark.get(mark) ?? 0;
    if (end === "accepted" && !byId.has(id)) lost.push(`${mark}, ${id}, is not in the record`);
    if (stored > (exact ? 1 : sent)) twice.push(`${mark} stands there ${stored} times`);
  }
  return extra;
}

/** Reports per digest. @param {import("./books.mjs").Books} books @param {readonly import("./record.mjs").Line[]} extra */
function expectedCounts(books, extra) {
  /** @type {Map<string, string>} of a storm's fault a sender may have heard only that it was counted */
  const digests = new Map();
  for (const { event, digest } of books.events.values())
    if (digest) digests.set(event.fault, digest);
  /** @type {Map<string, number>} */
  const counts = new Map();
  const add = (/** @type {string | undefined} */ digest) => {
    if (digest) counts.set(digest, (counts.get(digest) ?? 0) + 1);
  };
  for (const { event, end } of books.events.values()) if (end) add(digests.get(event.fault));
  for (const { end, digest } of books.uploads.values()) if (end) add(digest);
  for (const { digest, linked } of extra) if (!linked) add(digest);
  return counts;
}

/** @param {ReadonlyMap<string, number>} expected @param {import("./client.mjs").Client} client @param {Findings} findings */
async function compareCounts(expected, client, { lost, twice }) {
  /** @type {string[][]} */
  const groups = [];
  for (const digest of expected.keys()) {
    const group = groups.at(-1);
    if (group === undefined || group.length === CODES_PER_LOOKUP) groups.push([digest]);
    else group.push(digest);
  }
  await inLanes(groups, async (digests) => {
    const answer = await client.json(`/lookup?q=${encodeURIComponent(digests.join(" "))}`);
    /** @type {{ digest: string, count: number }[]} */
    const hits = answer?.hits ?? [];
    for (const digest of digests) {
      const is = hits.find((hit) => hit.digest === digest)?.count ?? 0;
      const should = expected.get(digest) ?? 0;
      const text = `${digest} counts ${is} of ${should}`;
      for (let i = is; i < should; i++) lost.push(text);
      for (let i = should; i < is; i++) twice.push(text);
    }
  });
}

/** The totals of `/status` are those of the record, and each session of which a sender heard is counted once.
 * @param {import("./books.mjs").Books} books @param {import("./record.mjs").Record} record
 * @param {import("./client.mjs").Client} client @param {Findings} findings */
async function compareStatus(books, record, client, { lost, twice, wrong }) {
  /** @type {{ outcomes: { outcome: string, item: string, all: number }[], sessions: { release: string, started: number }[] }} */
  const status = (await client.json("/status")) ?? { outcomes: [], sessions: [] };
  record.read();
  const stored = [...record.lines()].length;
  const counted = [...books.events.values(), ...books.uploads.values()].filter(
    ({ end }) => end === "counted",
  ).length;
  const isReport = ({ outcome = "", item = "" }) =>
    outcome === "accepted" || (outcome === "counted" && !/^sessions?$/.test(item));
  const total = status.outcomes.filter(isReport).reduce((sum, { all }) => sum + all, 0);
  if (total < stored + counted) lost.push(`/status counts ${total} reports of ${stored + counted}`);
  if (total > stored + counted)
    twice.push(`/status counts ${total} reports of ${stored + counted}`);

  const started = new Map(status.sessions.map((row) => [row.release, row.started]));
  for (const [release, isAcknowledged] of books.sessions) {
    const count = started.get(release) ?? 0;
    if (isAcknowledged && count === 0) lost.push(`the session of ${release} is not counted`);
    if (count > 1) twice.push(`the session of ${release} is counted ${count} times`);
  }
  for (const [name, sum] of record.tallies()) {
    const [first, release, , end] = JSON.parse(name);
    if (first !== "session" || end !== "started") continue;
    const is = started.get(release) ?? 0;
    if (is !== sum) wrong.push(`the record has ${sum} sessions of ${release}, the desk ${is}`);
  }
}

/** Follows each id on the desk, as a person would. @param {import("./books.mjs").Books} books
 * @param {readonly string[]} ids @param {import("./client.mjs").Client} client @param {import("./faulty-kv.mjs").FaultyKv} kv */
async function followAll(books, ids, client, kv) {
  /** @type {{ id: string, why: string }[]} */
  const failed = [];
  await inLanes(ids, async (id) => {
    const why = await follow(books, id, client);
    if (why !== null) failed.push({ id, why });
  });
  // What KV's old reads hide is there a minute later.
  kv.refresh();
  /** @type {string[]} */
  const lost = [];
  await inLanes(failed, async ({ id, why }) => {
    if ((await follow(books, id, client)) !== null) lost.push(`${id}: ${why}`);
  });
  return { lost, late: failed.length - lost.length };
}

/** Why an id does not lead to its body; null when it does. @param {import("./books.mjs").Books} books @param {string} id
 * @param {import("./client.mjs").Client} client @returns {Promise<string | null>} */
async function follow(books, id, client) {
  const found = await client.json(`/lookup?q=${id}`);
  /** @type {{ url: string } | undefined} */
  const hit = found?.hits?.find((/** @type {{ url: string }} */ { url }) => url.endsWith(`=${id}`));
  if (hit === undefined) return "the lookup does not find it";
  const report = await client.json(hit.url);
  if (report?.id !== id) return `${hit.url} does not show it`;
  const entry = books.events.get(id);
  const isIts =
    entry === undefined || JSON.stringify(report).includes(`"torture-${entry.event.n}"`);
  return isIts ? null : `${hit.url} shows another body`;
}

/** Compares until nothing differs, or for so long; what differs then is found. @param {number} ms @param {Findings} findings
 * @param {(found: Findings) => Promise<void>} compare */
async function within(ms, findings, compare) {
  const untilMs = performance.now() + ms;
  for (;;) {
    /** @type {Findings} */
    const found = { lost: [], twice: [], wrong: [] };
    await compare(found);
    const differs = found.lost.length + found.twice.length + found.wrong.length > 0;
    if (differs && performance.now() < untilMs) continue;
    findings.lost.push(...found.lost);
    findings.twice.push(...found.twice);
    findings.wrong.push(...found.wrong);
    return;
  }
}

/** @template T @param {readonly T[]} items @param {(item: T) => Promise<void>} work */
async function inLanes(items, work) {
  const left = [...items];
  const lane = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
