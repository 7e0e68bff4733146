/** The integrations, the most common first. */
import { listAdapterIntegrations } from "./adapter-integrations.ts";
import {
  type IngestAddress,
  type Integration,
  SERVER_KEY_PLACEHOLDER,
  toDsn,
  toMonitoringUrl,
  toServerDsn,
} from "./integration.ts";
import { createPolicyHeaders } from "./policy-headers.ts";

/** All integrations with `address` filled in. */
export function listIntegrations(address: IngestAddress): readonly Integration[] {
  const [next, ...frameworks] = listAdapterIntegrations(address);
  return [
    ...(next ? [next] : []),
    ...listSentryIntegrations(address),
    ...frameworks,
    ...listOtherIntegrations(address),
  ];
}

function listSentryIntegrations(address: IngestAddress): readonly Integration[] {
  const monitoring = toMonitoringUrl(address);
  return [
    {
      id: "sentry",
      name: "Sentry in browsers",
      description:
        "Errors, messages, feedback, attachments and sessions. To get past ad blockers, proxy the tunnel through a path of your own site.",
      snippets: [
        {
          file: "main.js",
          code: `import * as Sentry from "@sentry/browser";\n\nSentry.init({\n  dsn: "${toDsn(address)}",\n  tunnel: "${monitoring}",\n  release: "shop@1.0.0",\n});`,
        },
      ],
      endpoint: { name: "DSN", value: toDsn(address) },
      keyKind: "public",
    },
    {
      id: "sentry-server",
      name: "Sentry on servers",
      description:
        "The SDKs of every language, from Python to PHP, read the variable when they start.",
      endpoint: { name: "DSN", value: toServerDsn(address) },
      snippets: [
        { file: "environment variables", code: `SENTRY_DSN="${toServerDsn(address)}"` },
        {
          file: "instrument.mjs",
          code: 'import * as Sentry from "@sentry/node";\n\nSentry.init();',
        },
        { file: "main.py", code: "import sentry_sdk\n\nsentry_sdk.init()" },
      ],
      keyKind: "server",
    },
  ];
}

function listOtherIntegrations(address: IngestAddress): readonly Integration[] {
  const { origin, serverKey = SERVER_KEY_PLACEHOLDER } = address;
  const monitoring = toMonitoringUrl(address);
  const endpoint = { name: "URL", value: monitoring } as const;
  return [
    {
      id: "browser",
      name: "Plain HTML",
      description:
        "Errors, rejections and files that did not load, in 2 kB. Put it first in the head.",
      endpoint,
      snippets: [
        {
          file: "index.html",
          code: `<script src="${origin}/monitoring/errata.js" crossorigin\n  data-errata="${monitoring}"></script>`,
        },
      ],
      docs: "/docs/browser-reporter",
    },
    {
      id: "front",
      name: "In front of a site",
      description:
        "A Worker in front of any site on Cloudflare: browser errors, and a digest on pages that fail, without changes to its code. Run it in a clone of Errata’s repository.",
      snippets: [{ file: "terminal", code: "npm run deploy:front -- 'shop.example/*'" }],
      docs: "/docs/front",
    },
    {
      id: "csp",
      name: "CSP and Reporting API",
      endpoint,
      description: monitoring.startsWith("https:")
        ? "CSP violations, crashes, deprecations and, with the last two lines, failed connections."
        : "CSP violations. For crashes, deprecations and failed connections, browsers need HTTPS.",
      snippets: [
        {
          file: "response headers",
          code: createPolicyHeaders(monitoring),
        },
      ],
      note: "Browsers do not send a release or environment. Add them to the URL: ?sentry_release=1.0.0&sentry_environment=production",
    },
    {
      id: "tail",
      name: "Tail Worker",
      description:
        "Exceptions and logs of another Worker in this account, without changes to its code. Requires a paid plan.",
      snippets: [{ file: "wrangler.toml", code: 'tail_consumers = [{ service = "errata" }]' }],
    },
    {
      id: "otlp",
      name: "OpenTelemetry",
      description: "Exceptions on log records and spans, as JSON or protobuf.",
      endpoint: { name: "URL", value: origin },
      snippets: [
        {
          file: "environment variables",
          code: [
            `OTEL_EXPORTER_OTLP_ENDPOINT="${origin}"`,
            `OTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer ${serverKey}"`,
            'OTEL_EXPORTER_OTLP_PROTOCOL="http/protobuf"',
            'OTEL_METRICS_EXPORTER="none"',
          ].join("\n"),
        },
      ],
      keyKind: "server",
    },
    {
      id: "curl",
      name: "curl",
      description: "Sends an error in the Next.js format. Look it up as 2338823894.",
      endpoint,
      snippets: [
        {
          file: "terminal",
          code: `curl '${toMonitoringUrl(address)}' -d '${JSON.stringify(CURL_BODY)}'`,
        },
      ],
    },
  ];
}

const CURL_BODY = {
  error: { name: "TypeError", message: "cart is undefined", digest: "2338823894" },
  request: { path: "/cart", method: "GET" },
};
