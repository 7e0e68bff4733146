/** Every way to report here, in the order in which people look for theirs. */
import { browserScript } from "./browser-lines.ts";
import { type Address, dsnAt, keyedUrl, monitoringUrl, NO_KEY, type Recipe } from "./recipe.ts";
import { serverRecipes } from "./server-recipes.ts";

/** All recipes, for this very address. */
export function recipesFor(address: Address): readonly Recipe[] {
  return [...serverRecipes(address), ...otherRecipes(address)];
}

function otherRecipes(address: Address): readonly Recipe[] {
  const { origin, key = NO_KEY } = address;
  const monitoring = monitoringUrl(address);
  return [
    {
      id: "browser",
      name: "A page without a framework",
      says: "What nobody caught in it. The lines stand first in its head.",
      snippets: [{ file: "index.html", text: browserScript(address) }],
    },
    {
      id: "sentry",
      name: "Any Sentry SDK",
      says: "Errors, messages, feedback, attachments and sessions. The tunnel may be a path of your own that leads to it, which no blocker knows.",
      snippets: [
        {
          file: "where the SDK is initialised",
          text: `Sentry.init({\n  dsn: "${dsnAt(address)}",\n  tunnel: "${monitoring}",\n  release: "shop@1.0.0",\n});`,
        },
      ],
      needsKey: true,
    },
    {
      id: "csp",
      name: "Content Security Policy and the Reporting API",
      says: "What a policy blocks or would block, crashes, deprecations, and with the last two lines connections that failed. Browsers send most of it over https alone.",
      snippets: [
        {
          file: "headers of your pages",
          text: [
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
      says: "What it throws and logs, without a change to its code. On paid plans.",
      snippets: [{ file: "its wrangler.toml", text: 'tail_consumers = [{ service = "errata" }]' }],
    },
    {
      id: "otlp",
      name: "OpenTelemetry",
      says: "Exceptions on log records and spans, as JSON or protobuf.",
      snippets: [
        {
          file: "environment of the program",
          text: [
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
      says: "An error as Next.js would report it. Afterwards 2338823894 leads to it.",
      snippets: [
        {
          file: "a terminal",
          text: `curl '${keyedUrl(address)}' -d '${JSON.stringify(BY_HAND)}'`,
        },
      ],
    },
  ];
}

const BY_HAND = {
  error: { name: "TypeError", message: "cart is undefined", digest: "2338823894" },
  request: { path: "/cart", method: "GET" },
};
