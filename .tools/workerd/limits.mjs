// The rate-limit binding, inside workerd. The counters are in the memory of the Worker, as on
// Cloudflare, and cost no RPC. A window begins at a multiple of its period.

/**
 * @param {{ limit: number | null, period: number }} settings requests for each key within `period`
 *   seconds; null lets every request through
 */
function createLimit({ limit, period }) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  let current = 0;
  return {
    /** @param {{ key: string }} options */
    async limit({ key }) {
      if (limit === null) return { success: true };
      const window = Math.floor(Date.now() / (period * 1000));
      if (window !== current) counts.clear();
      current = window;
      const count = (counts.get(key) ?? 0) + 1;
      if (count <= limit) counts.set(key, count);
      return { success: count <= limit };
    },
  };
}

export default createLimit;
