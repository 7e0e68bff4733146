/** Every way to report here, in the order in which people look for theirs. */
import { createBrowserScript } from "./browser-snippets.ts";
import {
  type IngestAddress,
  type Integration,
  KEY_PLACEHOLDER,
  toDsn,
  toKeyedUrl,
  toMonitoringUrl,
} from "./integration.ts";
import { listServerIntegrations } from "./server-integrations.ts";

/** All recipes, for this very address. */
export function listIntegrations(address: IngestAddress): readonly Integration[] {
  return [...listServerIntegrations(address), ...listOtherIntegrations(address)];
}

function listOtherIntegrations(address: IngestAddress): readonly Integration[] {
  const { origin, key = KEY_PLACEHOLDER } = address;
  const monitoring = toMonitoringUrl(address);
  return [
    {
      id: "browser",
      name: "A page without a framework",
      description: "What nobody caught in it. The lines stand first in its head.",
      snippets: [{ file: "index.html", code: createBrowserScript(address) }],
    },
    {
      id: "sentry",
      name: "Any Sentry SDK",
      description:
        "Errors, messages, feedback, attachments and sessions. The tunnel may be a path of your own that leads to it, which no blocker knows.",
      snippets: [
        {
          file: "where the SDK is initialised",
          code: `Sentry.init({\n  dsn: "${toDsn(address)}",\n  tunnel: "${monitoring}",\n  release: "shop@1.0.0",\n});`,
        },
      ],
      needsKey: true,
    },
    {
      id: "csp",
      name: "Content Security Policy and the Reporting API",
      description:
        "What a policy blocks or would block, crashes, deprecations, and with the last two lines connections that failed. Browsers send most of it over https alone.",
      snippets: [
        {
          file: "headers of your pages",
          code: [
            `Reporting-Endpoints: default="${monitoring}"`,
            `Content-Security-Policy-Report-Only: default-src 'self'; report-uri ${monitoring}; report-to default`,
            `Report-To: {"group":"default","max_age":86400,"endpoints":[{"url":"${monitoring}"}]}`,
            'NEL: {"report_to":"default","max_age":86400}',
          ].join("\n"),
        },
      ],
      note: "The address may say what browsers cannot: ?sentry_release=1.0.0&sentry_environment=production",
    },
    {
      id: "tail",
      name: "Another Worker of this account",
      description: "What it throws and logs, without a change to its code. On paid plans.",
      snippets: [{ file: "its wrangler.toml", code: 'tail_consumers = [{ service = "errata" }]' }],
    },
    {
      id: "otlp",
      name: "OpenTelemetry",
      description: "Exceptions on log records and spans, as JSON or protobuf.",
      snippets: [
        {
          file: "environment of the program",
          code: [
            `OTEL_EXPORTER_OTLP_ENDPOINT="${origin}"`,
            `OTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer ${key}"`,
            'OTEL_EXPORTER_OTLP_PROTOCOL="http/protobuf"',
            'OTEL_METRICS_EXPORTER="none"',
          ].join("\n"),
        },
      ],
      needsKey: true,
    },
    {
      id: "curl",
      name: "By hand",
      description: "An error as Next.js would report it. Afterwards 2338823894 leads to it.",
      snippets: [
        {
          file: "a terminal",
          code: `curl '${toKeyedUrl(address)}' -d '${JSON.stringify(CURL_BODY)}'`,
        },
      ],
    },
  ];
}

const CURL_BODY = {
  error: { name: "TypeError", message: "cart is undefined", digest: "2338823894" },
  request: { path: "/cart", method: "GET" },
};
