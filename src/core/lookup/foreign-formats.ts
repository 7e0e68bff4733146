/**
 * The formats of codes that other systems show: whose they are, what is in them, and how to find
 * the request in the log of that system. One entry a format. Pure.
 */
import { normalizeRequestId } from "../report/report-codes.ts";
import { readAzureTime, readUlidTime, ULID } from "./code-times.ts";

/** What a code says of itself. */
interface CodeParts {
  /** As the system shows it. */
  readonly code: string;
  /** When the system made it, ms. */
  readonly madeMs?: number | undefined;
  /** Where the request was: names of locations, in its order. */
  readonly places?: readonly string[] | undefined;
}

interface ForeignFormat {
  readonly name: string;
  /** Whose code it is: `Vercel`. */
  readonly owner: string;
  /** What it identifies: "request id". */
  readonly what: string;
  /** Finds it in text that `readPastedText` returned. Global. */
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray) => CodeParts | undefined;
  /** The command that shows the request in the system's log, or what to do there. */
  readonly command?: (parts: CodeParts, from: string, to: string) => string;
  readonly note?: string;
}

/** The word before an id in a header, a log line or a page. */
const AFTER = "[\"'\\s:=#>(]{1,8}";
const label = (names: string, id: string, end = "(?![\\w-])") =>
  new RegExp(`(?<![\\w])(?:${names})${AFTER}(${id})${end}`, "gi");
const UUID = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";
const first = ([, code = ""]: RegExpExecArray): CodeParts => ({ code });
const seconds = (text = "", radix = 10) => Number.parseInt(text, radix) * 1_000;

export const FOREIGN_FORMATS = [
  {
    // vercel.com/docs/headers/response-headers, x-vercel-id; the log page of vercel.com.
    name: "vercel",
    owner: "Vercel",
    what: "request id",
    pattern: /(?<!\w)((?:[a-z]{3}\d::?)*)([\da-z]{4,6}-(\d{13})-[\da-f]{12})(?![\w-])/gi,
    read: ([code, regions = "", , madeMs]) => ({
      code,
      madeMs: Number(madeMs),
      places: regions.split(/:+/).filter((region) => region !== ""),
    }),
    command: ({ code }, from, to) =>
      `vercel logs --request-id ${code.split("::").at(-1)} --since ${from} --until ${to}`,
  },
  {
    // docs.netlify.com › Response headers: x-nf-request-id is a ULID.
    name: "netlify",
    owner: "Netlify",
    what: "request id",
    pattern: label("x-nf-request-id|netlify internal id|nf-request-id", ULID),
    read: readUlid,
    note: "Search for it in Logs › Functions of the project at app.netlify.com.",
  },
  {
    // fly.io/docs/networking/request-headers: a ULID and the region of the edge.
    name: "fly",
    owner: "Fly.io",
    what: "request id",
    pattern: new RegExp(
      `(?<![\\w-])(${ULID})-([a-z]{3})(?![\\w-])|${label("fly-request-id", ULID).source}`,
      "gi",
    ),
    read: ([, withRegion, region, alone = ""]) => {
      const code = withRegion ?? alone;
      return {
        code: region === undefined ? code : `${code}-${region}`,
        madeMs: readUlidTime(code),
        places: region === undefined ? [] : [region],
      };
    },
    command: () => "fly logs --no-tail",
  },
  {
    // docs.aws.amazon.com/xray › Tracing header: version, epoch seconds in hex, 96 bits.
    name: "aws-xray",
    owner: "AWS X-Ray",
    what: "trace id",
    pattern: /(?<![\w-])(?:Root=|Self=)?(1-([\da-f]{8})-[\da-f]{24})(?![\w-])/gi,
    read: ([, code = "", time]) => ({ code, madeMs: seconds(time, 16) }),
    command: ({ code }) => `aws xray batch-get-traces --trace-ids ${code}`,
  },
  {
    // docs.aws.amazon.com › Lambda, API Gateway: x-amzn-RequestId, "RequestId: …" in logs.
    name: "aws-request",
    owner: "AWS",
    what: "request id",
    pattern: label("x-amzn-requestid|x-amzn-request-id|aws_?request_?id|RequestId", UUID),
    read: first,
    command: ({ code }) =>
      `aws logs filter-log-events --log-group-name <group> --filter-pattern '"${code}"'`,
  },
  {
    // docs.aws.amazon.com/AmazonCloudFront: x-amz-cf-id, "Request ID" of an error page.
    name: "cloudfront",
    owner: "Amazon CloudFront",
    what: "request id",
    pattern: /(?<![\w+/=-])([\w-]{54})(?:==)?(?![\w=-])/g,
    read: ([, id = ""]) => (/[a-z]/.test(id) && /\d/.test(id) ? { code: `${id}==` } : undefined),
    note: "Its access log has the id in the column x-edge-request-id.",
  },
  {
    // techdocs.akamai.com › Translate error string: type, server, epoch seconds, request.
    name: "akamai",
    owner: "Akamai",
    what: "reference",
    pattern: /(?<![\w.])(\d{1,3}\.[\da-f]{5,8}\.(\d{10})\.[\da-f]{5,8})(?![\w.]\w)/gi,
    read: ([, code = "", time]) => ({ code, madeMs: seconds(time) }),
    note: "Translate it with the Error Translator of Akamai Control Center.",
  },
  {
    // fastly.com/documentation › Error pages: cache, epoch seconds, XID of Varnish.
    name: "fastly",
    owner: "Fastly",
    what: "error details",
    pattern: /(?<![\w-])(cache-[a-z\d-]{3,24}-([A-Z]{3})(?: (\d{10}) \d{5,12})?)(?![\w-])/g,
    read: ([, code = "", place = "", time]) => ({
      code,
      ...(time !== undefined && { madeMs: seconds(time) }),
      places: [place],
    }),
    command: () => "fastly log-tail",
  },
  {
    // learn.microsoft.com/azure/frontdoor › x-azure-ref, before and since 2023.
    name: "azure-front-door",
    owner: "Azure Front Door",
    what: "reference",
    pattern:
      /(?<![\w+/])(\d{8}T\d{6}Z-[\da-z]{20,60}|0[\w+/]{5}A{4,5}[\w+/]{50,100}={0,2})(?![\w+/=])/gi,
    read: ([code]) => {
      const madeMs = readAzureTime(code);
      return madeMs === undefined ? undefined : { code, madeMs };
    },
    command: ({ code }) => `AzureDiagnostics | where trackingReference_s == "${code}"`,
    note: "Run the query in Log Analytics.",
  },
  {
    // devcenter.heroku.com/articles/http-request-id, and the line of the router's log.
    name: "heroku",
    owner: "Heroku",
    what: "request id",
    pattern: new RegExp(`\\bat=(?:error|info|warning)\\b.{0,300}?\\brequest_id=(${UUID})`, "gi"),
    read: first,
    command: ({ code }) => `heroku logs --num 1500 | grep ${code}`,
  },
  {
    // docs.convex.dev › Error handling: "[Request ID: 96a6d283e177e540] Server Error".
    name: "convex",
    owner: "Convex",
    what: "request id",
    pattern: /\[Request ID: ([\da-f]{8,16})\]/gi,
    read: first,
    command: () => "npx convex logs --prod",
  },
  {
    // developers.cloudflare.com/fundamentals/reference/cloudflare-ray-id.
    name: "cloudflare-ray",
    owner: "Cloudflare",
    what: "Ray ID",
    pattern:
      /(?:(?:cf|ray)[ _-]?(?:ray|id)["'\s:=#>(]{1,8})([\da-f]{16})(?:-([A-Z]{3}))?(?![\dA-Za-z])/gi,
    read: ([, code = "", place], text = "") => ({
      code: code.toLowerCase(),
      places: place === undefined ? [] : [place],
      ...readPageTime(text),
    }),
    command: () => "npx wrangler tail <worker> --status error --format json",
    note: "A Ray ID has no time in it.",
  },
  {
    // w3.org/TR/trace-context › traceparent.
    name: "traceparent",
    owner: "W3C Trace Context",
    what: "trace",
    pattern: /(?<![\w-])([\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2})(?![\w-])/gi,
    read: first,
  },
  {
    // cloud.google.com/trace/docs/trace-context › X-Cloud-Trace-Context.
    name: "google-trace",
    owner: "Google Cloud",
    what: "trace",
    pattern: /(?<![\w-])([\da-f]{32}\/\d{1,20}(?:;o=\d)?)(?![\w-])/gi,
    read: first,
    command: ({ code }) =>
      `gcloud logging read 'trace="projects/<project>/traces/${code.slice(0, 32)}"'`,
  },
  {
    name: "request",
    owner: "",
    what: "request id",
    pattern: label(
      "x-request-id|request[ _-]?id|req[ _-]?id|x-correlation-id|correlation[ _-]?id|x-trace-id|trace[ _-]?id|transaction[ _-]?id|x-railway-request-id|rndr-id",
      "[\\w.:/+=-]{6,100}",
      "",
    ),
    read: ([, id = ""]) => {
      const code = id.replace(/[.:/]+$/, "");
      return /\d/.test(code) ? { code } : undefined;
    },
  },
] as const satisfies readonly ForeignFormat[];

/** The name of a format. */
export type ForeignFormatName = (typeof FOREIGN_FORMATS)[number]["name"];

/** A code of another system in pasted text. */
export interface ForeignCode extends CodeParts {
  readonly format: ForeignFormatName;
  /** The spelling in which reports have it. */
  readonly id: string;
}

const MAX_FOUND = 10;

/** The codes in text that `readPastedText` returned, each once. */
export function findForeignCodes(text: string): readonly ForeignCode[] {
  const found = new Map<string, ForeignCode>();
  const formats: readonly ForeignFormat[] = FOREIGN_FORMATS;
  for (const { name, pattern, read } of formats) {
    for (const match of text.matchAll(pattern)) {
      const parts = (read as (match: RegExpExecArray, text: string) => CodeParts | undefined)(
        match,
        text,
      );
      const id = parts && normalizeRequestId(parts.code.replaceAll(" ", "-"));
      if (parts === undefined || id === undefined || found.has(id)) continue;
      found.set(id, { ...parts, format: name as ForeignFormatName, id });
      if (found.size >= MAX_FOUND) return [...found.values()];
    }
  }
  return [...found.values()];
}

/** What to tell about a code that no report has. */
export interface CodeStory {
  readonly owner: string;
  readonly what: string;
  readonly code: string;
  readonly madeMs?: number | undefined;
  readonly places: readonly string[];
  readonly command?: string | undefined;
  readonly note?: string | undefined;
}

/** Commands ask for the minute before and after a code was made. */
const AROUND_MS = 60_000;

export function describeForeignCode({ format, ...parts }: ForeignCode): CodeStory {
  const formats: readonly ForeignFormat[] = FOREIGN_FORMATS;
  const found = formats.find(({ name }) => name === format);
  const { code, madeMs, places = [] } = parts;
  const toTime = (ms: number) => new Date(ms).toISOString();
  const times =
    madeMs === undefined
      ? (["<time>", "<time>"] as const)
      : ([toTime(madeMs - AROUND_MS), toTime(madeMs + AROUND_MS)] as const);
  return {
    owner: found?.owner ?? "",
    what: found?.what ?? "code",
    code,
    madeMs,
    places,
    command: found?.command?.(parts, ...times),
    note: found?.note,
  };
}

function readUlid([, code = ""]: RegExpExecArray): CodeParts {
  return { code, madeMs: readUlidTime(code) };
}

/** The time that an error page of Cloudflare shows: `2026-11-28 15:31:07 UTC`. */
function readPageTime(text: string): { readonly madeMs?: number } {
  const [, day, time] = /(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}) ?(?:UTC|Z)/.exec(text) ?? [];
  const madeMs = Date.parse(`${day}T${time}Z`);
  return Number.isNaN(madeMs) ? {} : { madeMs };
}
