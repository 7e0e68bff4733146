// The faults' reports as real clients send them: Sentry envelopes, the Reporting API, Errata's reporter, Next.js.

/** @import { Chance } from "./chance.mjs" */
/** @import { Fault } from "./faults.mjs" */

const DAY_MS = 86_400_000;
const HOST = "https://bazaar.example";
const USERS = 3_000;
const EVENTS_PER_ENVELOPE = 50;
const REPORTS_PER_UPLOAD = 100;
const PLANS = ["free", "free", "free", "plus", "business"];
const REGIONS = ["eu-west", "eu-central", "us-east", "ap-south"];
const AGENTS = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15",
  "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36",
];
/** The oldest first; each lives for an eighth of the time. */
const RELEASES = ["4.0.0", "4.1.0", "4.1.1", "4.2.0", "4.3.0", "4.3.1", "4.4.0", "5.0.0"].map(
  (version) => `bazaar@${version}`,
);

/**
 * Every request that is to be sent, the oldest reports first.
 *
 * @param {{ faults: readonly Fault[], days: number, nowMs: number, chance: Chance }} options
 * @returns {{ path: string, body: string }[]}
 */
export function makeBodies({ faults, days, nowMs, chance }) {
  const all = faults
    .flatMap((fault) => Array.from({ length: fault.times }, () => occurrence(fault, days, chance)))
    .sort((a, b) => b.daysAgo - a.daysAgo);
  /** @param {(way: Fault["way"]) => boolean} is */
  const of = (is) => all.filter(({ fault: { way } }) => is(way));
  const events = of((way) => way === "server" || way === "browser");
  const browsers = of((way) => way === "csp" || way === "network");
  return [
    ...pieces(events, EVENTS_PER_ENVELOPE).map((some) => envelope(some, nowMs, chance)),
    ...RELEASES.flatMap((release) =>
      pieces(
        browsers.filter((one) => one.release === release),
        REPORTS_PER_UPLOAD,
      ).map((some) => upload(some, release, chance)),
    ),
    ...of((way) => way === "reporter").map((one) => reporter(one, nowMs, chance)),
    ...of((way) => way === "next").map((one) => nextError(one, chance)),
    ...RELEASES.map((release) => sessions(release, nowMs, chance)),
  ];
}

/** @typedef {{ fault: Fault, daysAgo: number, release: string, url: string, agent: string }} Occurrence */

/** @param {Fault} fault @param {number} days @param {Chance} chance @returns {Occurrence} */
function occurrence(fault, days, chance) {
  const { fromDays, toDays, peak } = fault;
  const spread = toDays + chance.number() * (fromDays - toDays);
  const near = peak + (chance.number() - 0.5) * 0.3;
  const daysAgo = Math.min(days, Math.max(0.001, chance.number() < 0.33 ? near : spread));
  const live = Math.min(RELEASES.length - 1, Math.floor((1 - daysAgo / days) * RELEASES.length));
  const url = `${HOST}${fault.route.replace("[id]", String(1000 + chance.below(400)))}`;
  return {
    fault,
    daysAgo,
    release: /** @type {string} */ (RELEASES[live]),
    url,
    agent: chance.of(AGENTS),
  };
}

/** @param {readonly Occurrence[]} some @param {number} nowMs @param {Chance} chance */
function envelope(some, nowMs, chance) {
  const items = some.map(
    (one) => `{"type":"event"}\n${JSON.stringify(event(one, nowMs, chance))}\n`,
  );
  return { path: "/monitoring", body: `{}\n${items.join("")}` };
}

/** @param {Occurrence} occurrence @param {number} nowMs @param {Chance} chance */
function event({ fault, daysAgo, release, url, agent }, nowMs, chance) {
  const isServer = fault.way === "server";
  const timestamp = (nowMs - daysAgo * DAY_MS) / 1000;
  const [thrower, ...callers] = fault.called;
  const frames = [thrower, ...callers].map((called, depth) => ({
    function: called,
    filename: isServer ? `/srv/bazaar/src/${fault.file}` : `${HOST}/assets/app-${fault.nth % 7}.js`,
    lineno: isServer ? 20 + ((fault.nth * 7 + depth * 31) % 300) : 1,
    colno: 5 + ((fault.nth * 13) % 60),
    in_app: true,
    ...(isServer && depth === 0 && { context_line: `  const found = ${thrower}(request);` }),
  }));
  return {
    event_id: chance.id(),
    timestamp,
    platform: isServer ? "node" : "javascript",
    sdk: { name: `sentry.javascript.${isServer ? "node" : "react"}`, version: "11.12.0" },
    level: "error",
    release,
    environment: chance.number() < 0.9 ? "production" : "staging",
    transaction: fault.route,
    user: { id: `user-${chance.below(USERS)}` },
    tags: { plan: chance.of(PLANS), region: chance.of(REGIONS) },
    request: {
      url,
      method: fault.route.startsWith("/api") ? "POST" : "GET",
      headers: { "User-Agent": agent },
    },
    contexts: isServer ? { runtime: { name: "node", version: "24.11.1" } } : {},
    breadcrumbs: [
      { timestamp: timestamp - 9, category: "navigation", data: { from: "/", to: fault.route } },
      {
        timestamp: timestamp - 1,
        category: "fetch",
        data: { method: "GET", url: "/api/session", status_code: 200 },
      },
    ],
    exception: {
      values: [
        {
          type: fault.type,
          value: fault.message,
          mechanism: { type: "onerror", handled: false },
          stacktrace: { frames: frames.reverse() },
        },
      ],
    },
  };
}

/** @param {readonly Occurrence[]} some @param {string} release @param {Chance} chance */
function upload(some, release, chance) {
  const reports = some.map(({ fault, daysAgo, url, agent }) => {
    const common = { age: Math.round(daysAgo * DAY_MS), url, user_agent: agent };
    if (fault.way === "network") {
      const body = {
        type: fault.type,
        phase: "connection",
        method: "GET",
        status_code: 0,
        elapsed_time: chance.below(30_000),
        sampling_fraction: 1,
      };
      const asked = `${fault.host}${new URL(url).pathname}`;
      return { ...common, url: asked, type: "network-error", body };
    }
    const blockedURL = `https://cdn-${fault.nth}.partner.example/${fault.file.replace("/", "-")}`;
    const disposition = fault.nth % 3 === 0 ? "report" : "enforce";
    const body = {
      effectiveDirective: fault.type,
      blockedURL,
      disposition,
      documentURL: url,
      originalPolicy: "default-src 'self'",
      statusCode: 200,
    };
    return { ...common, type: "csp-violation", body };
  });
  const query = new URLSearchParams({ sentry_release: release, sentry_environment: "production" });
  return { path: `/monitoring?${query}`, body: JSON.stringify(reports) };
}

/** @param {Occurrence} occurrence @param {number} nowMs @param {Chance} chance */
function reporter({ fault, daysAgo, release, url }, nowMs, chance) {
  const stack = `${fault.type}: ${fault.message}\n    at ${fault.called[0]} (${HOST}/assets/page-${fault.nth % 5}.js:1:${900 + fault.nth})`;
  const report = {
    errata: 1,
    id: chance.id(),
    how: "uncaught",
    type: fault.type,
    message: fault.message,
    stack,
    url,
    release,
  };
  const at = Math.round(nowMs - daysAgo * DAY_MS);
  return {
    path: "/monitoring",
    body: JSON.stringify({ ...report, at, environment: "production" }),
  };
}

/** It says no moment: it is of the moment at which it is sent. @param {Occurrence} occurrence @param {Chance} chance */
function nextError({ fault, url, agent }, chance) {
  const stack = `${fault.type}: ${fault.message}\n    at ${fault.called[0]} (/srv/bazaar/.next/server/app/${fault.file}:${fault.nth}:9)`;
  const error = {
    name: fault.type,
    message: fault.message,
    stack,
    digest: String(1_000_000_000 + fault.nth * 7_919),
  };
  const path = `${new URL(url).pathname}?visit=${chance.below(1_000_000)}`;
  const request = { path, method: "GET", headers: { "user-agent": agent } };
  const context = { routerKind: "App Router", routePath: fault.route, routeType: "render" };
  return { path: "/monitoring", body: JSON.stringify({ error, request, context }) };
}

/** @param {string} release @param {number} nowMs @param {Chance} chance */
function sessions(release, nowMs, chance) {
  const exited = 2_000 + chance.below(9_000);
  const aggregate = {
    started: new Date(nowMs).toISOString(),
    exited,
    errored: chance.below(200),
    crashed: chance.below(90),
  };
  const payload = { aggregates: [aggregate], attrs: { release, environment: "production" } };
  return { path: "/monitoring", body: `{}\n{"type":"sessions"}\n${JSON.stringify(payload)}\n` };
}

/** @template T @param {readonly T[]} list @param {number} size @returns {T[][]} */
function pieces(list, size) {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, nth) =>
    list.slice(nth * size, (nth + 1) * size),
  );
}
