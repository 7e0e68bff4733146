// The pages of the screenshots, and what they show: paths by the name of their picture.

import { NOTICE_DIGEST } from "../../src/core/sample/sample-shop.ts";
import { readJson } from "../reports/captures.ts";

export type Pages = Readonly<Record<string, string>>;

export const LISTS: Pages = {
  home: "/",
  issues: "/issues",
  releases: "/releases",
  policies: "/csp",
  live: "/live",
  connect: "/connect",
  status: "/status",
};

/** The pages of an owner, with a second project. */
export const OWN_PAGES: Pages = {
  me: "/profile",
  projects: "/projects",
  settings: "/settings",
  audit: "/settings/audit",
  "settings-second": "/p/2/settings",
  "home-second": "/p/2/",
};

export const FAILING_PAGES: Pages = {
  "failed-shell": "/self-test/shell",
  "failed-boundary": "/self-test/after-flush",
  "failed-in-browser": "/self-test/uncaught",
};

/** A policy that would allow some of the sample's violations. */
const PICTURED_POLICY =
  "default-src 'self'; script-src 'self' https://widgets.chat-helper.example; img-src 'self'";

/** The pages of the sample project, which has this digest. */
export function listSamplePages(digest: string): Pages {
  return {
    issue: `/d/${digest}`,
    "issues-regressed": "/issues?q=is:regressed",
    "issues-noise": "/issues?q=is:noise",
    "issues-filtered": '/issues?q=env:"sample"+release:shop@2.4.0&sort=count',
    "issues-none": "/issues?q=is:open+browser:lynx+nothing",
    release: "/releases/shop@2.4.0",
    "release-unknown": "/releases/none",
    hits: `/lookup?q=${NOTICE_DIGEST}`,
    "unknown-digest": "/d/0000-0000",
    misread: `/d/${misread(digest)}`,
    "unknown-code": "/lookup?q=1234567890",
    "control-flow": "/lookup?q=NEXT_REDIRECT;replace;/login;307;",
    receipt: `/e/${digest}`,
    "receipt-sent": `/e/${digest}?sent=1`,
    "receipt-unknown": "/e/0000-0000",
    "self-test": "/self-test",
    missing: "/missing",
  };
}

/** The pages of a project with an issue of too long texts. */
export function listHostilePages(digest: string): Pages {
  const { home = "", issues = "", releases = "", live = "", status = "" } = LISTS;
  const issue = { issue: `/d/${digest}`, receipt: `/e/${digest}` };
  return { home, issues, releases, live, status, ...issue };
}

/** The pages in the README: those of the sample, and an issue whose source map was uploaded. */
export function listReadmePages(digest: string, mappedDigest: string): Pages {
  return {
    home: "/",
    issue: `/d/${mappedDigest}`,
    misread: `/d/${misread(digest)}`,
    receipt: `/e/${digest}`,
    release: "/releases/shop@2.4.0",
    policy: `/csp?policy=${encodeURIComponent(PICTURED_POLICY)}`,
  };
}

/** The digest with another last character. */
function misread(digest: string) {
  return `${digest.slice(0, -1)}${digest.endsWith("8") ? "B" : "8"}`;
}

/** Looks a code up. Resolves to the digest of the first hit; "" without one. */
export async function findDigest(url: string, code: string): Promise<string> {
  return (await readJson(`${url}/lookup?q=${code}`)).hits[0]?.digest ?? "";
}

const HOSTILE_ID = "5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e";
const MARKUP = `"'><img src=x onerror=alert(1)></title><script>alert(1)</script>`;
const ARABIC = "تعذّر حساب السعر لأن السلة فارغة";
const HEBREW = "\u202eהסל ריק ולכן אין מחיר";
const EMOJI = "👩‍👩‍👧‍👦🛒💥🏳️‍🌈";

/**
 * Sends a report with as much hostile text as the limits allow: markup, both directions of writing,
 * thousands of tags. Resolves to its digest.
 */
export async function sendHostile(url: string): Promise<string> {
  const long = `${ARABIC} ${EMOJI} ${MARKUP} ${"averylongwordwithoutanyspace".repeat(40)} ${"and so on ".repeat(900)}`;
  const frames = Array.from({ length: 300 }, (_, i) => ({
    function: `${i % 7 === 0 ? MARKUP : "step"}${i}`,
    filename: `/srv/${i % 5 === 0 ? "node_modules/library" : ARABIC}/${"deep/".repeat(i % 12)}file${i}.ts`,
    lineno: i + 1,
    colno: 7,
    in_app: i % 5 !== 0,
    context_line: `  ${MARKUP.repeat(3)} // ${HEBREW}`,
  }));
  const tags = Array.from({ length: 5_000 }, (_, i) => [`tag-${i}`, i % 2 === 0 ? EMOJI : MARKUP]);
  const event = {
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
    tags: Object.fromEntries(tags),
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
  const body = `{}\n{"type":"event"}\n${JSON.stringify(event)}\n`;
  await fetch(`${url}/monitoring`, { method: "POST", body });
  return findDigest(url, HOSTILE_ID);
}

/**
 * Sets Errata up with the code of the link: an owner with keys, a token and an invitation, a member,
 * a viewer, and a second project. Resolves to the owner's cookie.
 */
export async function setUpPeople(url: string, code: string): Promise<string> {
  const cookie = await enter(url, code, "Ada Lovelace");
  const headers = { "content-type": "application/json", origin: new URL(url).origin, cookie };
  const change = async (path: string, fields: object) => {
    const request = { method: "POST", headers, body: JSON.stringify(fields) };
    return (await fetch(`${url}${path}`, request)).json();
  };
  const origins = ["https://shop.example", "https://*.shop.example"];
  await change("/settings", { do: "add-key", name: "Shop, in browsers", origins, rate: 6000 });
  await change("/settings", { do: "add-key", name: "Checkout server" });
  await change("/settings", { do: "add-token", name: "ci", role: "viewer", expiresInDays: 90 });
  for (const [role, name = ""] of [
    ["member", "Grace Hopper"],
    ["viewer", "مارغريت هاميلتون"],
  ]) {
    const { secrets } = await change("/settings", { do: "invite", role });
    await enter(url, secrets[0], name);
  }
  await change("/settings", { do: "invite", role: "member" });
  await change("/projects", { name: "Back office" });
  return cookie;
}

async function enter(url: string, code: string, name: string) {
  const body = new URLSearchParams({ code, name });
  const response = await fetch(`${url}/sign-in`, { method: "POST", body, redirect: "manual" });
  const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
  return cookie;
}
