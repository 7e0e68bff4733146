// What the senders know: everything that was sent, and what was said to it. The only witness beside Errata itself.

/**
 * @typedef {object} EventEntry
 * @property {import("./bodies.mjs").Event} event
 * @property {boolean} [hasSession]
 * @property {"accepted" | "counted"} [end] once it is acknowledged: its body is kept, or it is counted alone
 * @property {string} [digest]
 */
/**
 * @typedef {object} UploadEntry one report of a browser's upload: it has no id before it is acknowledged
 * @property {number} sent
 * @property {boolean} exact its tries were near enough in time to be told for one
 * @property {string} [id]
 * @property {string} [digest]
 * @property {"accepted" | "counted"} [end]
 */
/** @typedef {ReturnType<typeof openBooks>} Books */

/** Tries of a browser's report that are farther apart than this, by the sender's clock and the receiver's, are two reports. */
const EXACT_WITHIN_MS = 1_900;

/** Empty books. */
export function openBooks() {
  /** @type {Map<string, EventEntry>} by id */
  const events = new Map();
  /** @type {Map<string, UploadEntry>} by mark */
  const uploads = new Map();
  /** @type {Map<string, boolean>} by release, of which each try has its own; true when it was acknowledged */
  const sessions = new Map();
  /** @type {string[]} ids in the order of their acknowledgement */
  const acknowledged = [];
  /** @type {string[]} */
  const contradictions = [];
  const figures = { posts: 0, unanswered: 0, refused: 0, retries: 0, echoes: 0 };

  return {
    events,
    uploads,
    sessions,
    acknowledged,
    /** What the answers themselves say wrongly. */
    contradictions,
    figures,

    /** Reports that were acknowledged, of all kinds. */
    get reports() {
      return acknowledged.length;
    },

    /** Notes the answer to an event. @param {EventEntry} entry @param {readonly import("./client.mjs").Outcome[]} outcomes */
    tookEvent(entry, outcomes) {
      const { id } = entry.event;
      const outcome = outcomes.find(({ item }) => item === "event");
      if (outcome?.outcome !== "accepted" && outcome?.outcome !== "counted") {
        contradictions.push(`${id} was answered with "${outcome?.outcome}"`);
        return;
      }
      if (outcome.id !== "" && outcome.id !== id) {
        contradictions.push(`${id} was acknowledged as ${outcome.id}`);
      }
      if (entry.end === undefined) acknowledged.push(id);
      const digest = outcome.digest || entry.digest;
      if (entry.digest !== undefined && entry.digest !== digest) {
        contradictions.push(`${id} was in ${entry.digest} and is in ${digest}`);
      }
      // A retry of what is kept may be answered in a storm, and the other way round.
      entry.end = entry.end === "accepted" ? "accepted" : outcome.outcome;
      if (digest !== undefined) entry.digest = digest;
    },

    /** Notes a try of an upload's report. @param {string} mark @param {number} tookMs */
    triedUpload(mark, tookMs) {
      const entry = uploads.get(mark) ?? { sent: 0, exact: true };
      entry.sent++;
      if (tookMs > EXACT_WITHIN_MS) entry.exact = false;
      uploads.set(mark, entry);
    },

    /** Notes the answer to a report of an upload. @param {string} mark
     * @param {import("./client.mjs").Outcome | undefined} outcome */
    tookUpload(mark, outcome) {
      const entry = uploads.get(mark);
      if (entry === undefined) return;
      if (outcome?.outcome !== "accepted" && outcome?.outcome !== "counted") {
        contradictions.push(`${mark} was answered with "${outcome?.outcome}"`);
        return;
      }
      entry.end = outcome.outcome;
      entry.digest = outcome.digest;
      entry.id = outcome.id;
      acknowledged.push(outcome.id);
    },
  };
}
