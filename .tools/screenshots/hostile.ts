// A report with as much hostile text as the limits allow: markup, both directions of writing,
// thousands of tags.

/** Sends the report and resolves to its digest. */
export async function sendHostile(url: string): Promise<string> {
  const body = `{}\n{"type":"event"}\n${JSON.stringify(createHostileEvent())}\n`;
  await fetch(`${url}/monitoring`, { method: "POST", body });
  return findDigest(url, HOSTILE_ID);
}

/** Looks a code up. Resolves to the digest of the first hit; "" without one. */
export async function findDigest(url: string, code: string): Promise<string> {
  const response = await fetch(`${url}/lookup?q=${code}`, {
    headers: { accept: "application/json" },
  });
  const { hits }: { hits: { digest: string }[] } = await response.json();
  return hits[0]?.digest ?? "";
}

const HOSTILE_ID = "5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e";
const MARKUP = `"'><img src=x onerror=alert(1)></title><script>alert(1)</script>`;
const ARABIC = "تعذّر حساب السعر لأن السلة فارغة";
const HEBREW = "\u202eהסל ריק ולכן אין מחיר";
const EMOJI = "👩‍👩‍👧‍👦🛒💥🏳️‍🌈";

function createHostileEvent() {
  const long = `${ARABIC} ${EMOJI} ${MARKUP} ${"averylongwordwithoutanyspace".repeat(40)} ${"and so on ".repeat(900)}`;
  const frames = Array.from({ length: 300 }, (_, i) => ({
    function: `${i % 7 === 0 ? MARKUP : "step"}${i}`,
    filename: `/srv/${i % 5 === 0 ? "node_modules/library" : ARABIC}/${"deep/".repeat(i % 12)}file${i}.ts`,
    lineno: i + 1,
    colno: 7,
    in_app: i % 5 !== 0,
    context_line: `  ${MARKUP.repeat(3)} // ${HEBREW}`,
  }));
  const tags = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, i) => [`tag-${i}`, i % 2 === 0 ? EMOJI : MARKUP]),
  );
  return {
    event_id: HOSTILE_ID,
    platform: "node",
    level: "error",
    release: `${"release-".repeat(20)}${HEBREW}`,
    environment: `${MARKUP}${"environment".repeat(9)}`,
    transaction: `/${ARABIC}/${MARKUP}`,
    request: {
      url: `https://shop.example/${encodeURIComponent(ARABIC)}?${"q=1&".repeat(300)}`,
      method: MARKUP,
      headers: { "User-Agent": `${EMOJI} ${"Mozilla/".repeat(60)}` },
    },
    tags,
    breadcrumbs: Array.from({ length: 120 }, (_, i) => ({
      timestamp: Date.now() / 1000 - i,
      category: i % 3 === 0 ? MARKUP : "fetch",
      message: `${i} ${HEBREW} ${"crumb ".repeat(i)}`,
    })),
    exception: {
      values: [
        { type: "Cause".repeat(50), value: MARKUP.repeat(30) },
        { type: `${EMOJI}Error${"Error".repeat(30)}`, value: long, stacktrace: { frames } },
      ],
    },
  };
}
