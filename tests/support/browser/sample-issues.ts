/** Issues for the browser tests: one with everything, one hostile, one with almost nothing. */
import { readNowMs } from "#support/clock/clock.ts";

/** The public key of the tests' product. */
const KEY = "0123456789abcdef0123456789abcdef";
const HOUR_MS = 3_600_000;
/** An application's own code of maximum length, without a place to break the line. */
export const CODE = "X9".repeat(50);
export const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(1)> \u202egpj.exe 💥 مرحبا \`\`\` `;

const frame = (name: string, file: string, inApp: boolean) => ({
  ...{ function: name, filename: file, lineno: 12, colno: 9, in_app: inApp },
  ...(inApp && { pre_context: ["before"], context_line: "  total(cart)", post_context: ["after"] }),
});
const library = frame("render", "/srv/shop/node_modules/react-dom/server.js", false);

interface ErrorFacts {
  readonly type?: string;
  readonly message: string;
  readonly frames?: readonly object[];
  readonly tags?: Readonly<Record<string, string>>;
  readonly crumbs?: number;
}

/** Sends an error as a server SDK, `agoHours` ago. Resolves to its digest. */
async function report(
  url: string,
  facts: ErrorFacts,
  agoHours = 0,
  release = "shop@1.4.0",
): Promise<string> {
  const { type = "TypeError", message, frames = [library, library], tags = {}, crumbs = 3 } = facts;
  const seconds = (readNowMs() - agoHours * HOUR_MS) / 1000;
  const event = {
    ...{ timestamp: seconds, level: "error", release, environment: "production", tags },
    user: { id: `u${agoHours}` },
    request: {
      method: "GET",
      url: "https://shop.example/cart/7",
      headers: { Accept: "text/html" },
    },
    exception: {
      values: [
        { type: "PriceError", value: "503 from prices" },
        { type, value: message, stacktrace: { frames } },
      ],
    },
    breadcrumbs: {
      values: Array.from({ length: crumbs }, (_, n) => ({
        ...{ timestamp: seconds - crumbs + n, category: "http", message: `${message} ${n}` },
        level: n === 1 ? "warning" : "info",
      })),
    },
  };
  const response = await fetch(`${url}/monitoring?sentry_key=${KEY}`, {
    method: "POST",
    body: `{}\n{"type":"event"}\n${JSON.stringify(event)}\n`,
  });
  return /digest="([^"]+)/.exec(response.headers.get("errata-outcome") ?? "")?.[1] ?? "";
}

/** Sends the reports of a browser that showed a digest: the notice, and a React error. */
async function reportNotice(url: string, digest: string): Promise<void> {
  const stack = "Error: it failed\n    at hydrate (https://shop.example/app.js:2:9)";
  for (const report of [
    { how: "notice", digest, url: "https://shop.example/cart/7" },
    { how: "recovered", type: "Error", message: "React gave up", stack, digest },
  ]) {
    const body = JSON.stringify({ errata: 1, ...report });
    await fetch(`${url}/monitoring`, { method: "POST", body });
  }
}

/** The digests of the issues. */
export interface SampleIssues {
  readonly whole: string;
  readonly hostile: string;
  readonly twin: string;
  readonly bare: string;
  readonly stepped: string;
}

/** Reports the issues to the product at `url`. Resolves to their digests. */
export async function reportSampleIssues(url: string): Promise<SampleIssues> {
  const issues = { whole: "", hostile: "", twin: "", bare: "", stepped: "" };
  const app = frame("priceOf", "/srv/shop/src/price.ts", true);
  const whole = {
    message: "no price for this cart",
    frames: [library, library, app, library, app],
  };
  for (const [n, release] of ["shop@1.3.9", "shop@1.4.0", "shop@1.4.1"].entries()) {
    const tags = { plan: n ? "pro" : "free", region: "eu" };
    issues.whole = await report(url, { ...whole, tags }, 9 - 3 * n, release);
  }
  await reportNotice(url, issues.whole);
  issues.twin = await report(url, { ...whole, message: "no price for that cart" });
  for (const hours of [2, 1, 0]) {
    issues.stepped = await report(url, { type: "RangeError", message: "too many carts" }, hours);
  }
  issues.bare = await report(url, { message: "", frames: [], crumbs: 0 });
  issues.hostile = await report(url, {
    type: "<b>Bold</b>Error",
    message: HOSTILE.repeat(120),
    frames: Array.from({ length: 300 }, (_, n) => frame(`${HOSTILE}${n}`, HOSTILE, n % 3 === 0)),
    tags: {
      digest: CODE,
      ...Object.fromEntries(Array.from({ length: 49 }, (_, n) => [`k${n}`, HOSTILE])),
    },
    crumbs: 60,
  });
  await reportNotice(url, CODE);
  return issues;
}
