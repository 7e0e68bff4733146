/** All errors of a page arrive, in every engine, over each protocol of the web. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readNowMs } from "../../support/clock/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { createCertificate } from "../../support/http/certificate.ts";
import { bundle } from "../bundle.ts";
import { openErrata } from "../errata.ts";
import { openSite, type Site } from "../site.ts";
import { findEngines } from "./engines.ts";
import { openHttp2Proxy } from "./http2-proxy.ts";

/** The errors of `programs/many-errors.ts`, and of `programs/own-reporter.ts`. */
const ERRORS = 60;
const OWN_ERRORS = 10;
/** The first start of Firefox takes half a minute on a busy machine. */
const ARRIVAL_TIMEOUT_MS = 50_000;

const engines = findEngines();
const errata = openErrata();
const certificate = createCertificate(["localhost", "127.0.0.1"], new Date(readNowMs()));

/** The protocols of the connection to Errata. A proxy of the tests terminates TLS and HTTP/2. */
const PROTOCOLS = ["http, HTTP/1.1", "https, HTTP/1.1", "https, HTTP/2"] as const;
type Protocol = (typeof PROTOCOLS)[number];

const proxies = new Map<Protocol, Pick<Site, "port" | "close">>();
let shop: Site;
const scripts = new Map<string, string>();

beforeAll(async () => {
  scripts.set("/many-errors.js", await bundle("many-errors.ts", "browser"));
  scripts.set("/own-reporter.js", await bundle("own-reporter.ts", "browser"));
  const pass = (path: string) => ({ forwardTo: `${errata.url}${path}` });
  proxies.set("http, HTTP/1.1", await openSite(pass));
  proxies.set("https, HTTP/1.1", await openSite(pass, certificate));
  proxies.set("https, HTTP/2", await openHttp2Proxy(() => errata.url, certificate));
  shop = await openSite((path) => {
    const { pathname, searchParams } = new URL(path, "http://shop.example");
    const script = scripts.get(pathname);
    if (script !== undefined) {
      return { headers: { "content-type": "text/javascript" }, body: script };
    }
    if (pathname === "/monitoring") return pass(path);
    const options = { dsn: searchParams.get("dsn"), release: searchParams.get("release") };
    return {
      body: `<!doctype html><title>The shop</title>
<meta data-release="${options.release}">
<script>window.sentryOptions = ${JSON.stringify(options)}</script>
<script src="${pathname}.js"></script>`,
    };
  });
});
afterAll(async () => {
  for (const site of [shop, ...proxies.values()]) await site?.close();
});

/** The number of issues of a release, as soon as it is the expected one. */
function expectIssues(release: string, count: number): Promise<void> {
  const query = encodeURIComponent(`release:"${release}"`);
  return eventually(async () => {
    const list = (await errata.json(`/issues?q=${query}`)) as { total: number };
    expect(list.total, `issues of ${release}`).toBe(count);
  }, ARRIVAL_TIMEOUT_MS);
}

function dsnOver(protocol: Protocol): string {
  const scheme = protocol.startsWith("https") ? "https" : "http";
  const { username } = new URL(errata.dsn);
  return `${scheme}://${username}@127.0.0.1:${proxies.get(protocol)?.port}/1`;
}

// Firefox and WebKit do not accept the certificate of the tests.
const CASES = engines.flatMap((engine) =>
  PROTOCOLS.filter((protocol) => engine.name === "Chromium" || protocol.startsWith("http,")).map(
    (protocol) => ({ engine, protocol }),
  ),
);

describe("60 different errors in six seconds", () => {
  it.each(CASES)(
    "all arrive from @sentry/browser in $engine.name over $protocol",
    async ({ engine, protocol }) => {
      const release = `${engine.name}@${PROTOCOLS.indexOf(protocol)}`;
      const query = new URLSearchParams({ dsn: dsnOver(protocol), release });
      const args =
        engine.name === "Chromium"
          ? [`--ignore-certificate-errors-spki-list=${certificate.spki}`]
          : [];
      const browser = await engine.open(`http://127.0.0.1:${shop.port}/many-errors?${query}`, args);
      try {
        await expectIssues(release, ERRORS);
      } finally {
        await browser.close();
      }
    },
  );
});

it.each(engines)("all errors arrive from Errata's own reporter in $name", async (engine) => {
  const release = `${engine.name}-own`;
  const browser = await engine.open(
    `http://127.0.0.1:${shop.port}/own-reporter?release=${release}`,
  );
  try {
    await expectIssues(release, OWN_ERRORS);
  } finally {
    await browser.close();
  }
});
