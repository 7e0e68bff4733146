/**
 * Detects the runtime of a Sentry event or of one of its frames.
 * Source: Sentry develop docs › Event Payloads, "platform"; relay-event-schema `VALID_PLATFORMS`.
 */
import {
  asArray,
  asRecord,
  asText,
  filterRecords,
  type JsonFields,
} from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import type { Platform } from "../../core/report.ts";

/** The runtime by the names that SDKs use for it. */
const PLATFORM_NAMES: Readonly<Record<Platform, readonly string[]>> = {
  javascript: ["javascript", "node", "bun", "deno"],
  "react-native": ["react-native"],
  python: ["python"],
  ruby: ["ruby"],
  php: ["php"],
  java: ["java", "kotlin", "scala", "groovy", "clojure", "android"],
  dotnet: ["csharp", "dotnet", "fsharp", "vb", "powershell"],
  go: ["go"],
  rust: ["rust"],
  elixir: ["elixir", "erlang"],
  native: ["native", "c", "cpp", "c++", "cocoa", "objc", "swift", "apple", "minidump", "unreal"],
  other: [],
};

const PLATFORMS: ReadonlyMap<string, Platform> = new Map(
  Object.entries(PLATFORM_NAMES).flatMap(([platform, names]) =>
    names.map((name) => [name, platform as Platform] as const),
  ),
);

/**
 * The runtime of an event. Without a platform, the name of the SDK (`sentry.python.django`) or the
 * files of the stack tell it. `exceptions` and the stack are undecoded.
 */
export function detectPlatform(fields: JsonFields, exceptions: readonly JsonFields[]): Platform {
  const sdk = asText(asRecord(fields.sdk)?.name)?.toLowerCase() ?? "";
  const frames = listFrames(fields, exceptions);
  const platform =
    parsePlatform(fields.platform) ??
    parsePlatform(sdk.split(".")[1]) ??
    (frames.some(isScript) ? "javascript" : "other");
  if (platform === "javascript" && sdk.includes("react-native")) return "react-native";
  // The SDK of Rust sends `native`, which is also what compiled libraries of other languages send.
  if (platform === "native" && (sdk.startsWith("sentry.rust") || frames.some(isRust)))
    return "rust";
  return platform;
}

/** The runtime that a sender names; `other` for an unknown name, undefined without a name. */
export function parsePlatform(name: unknown): Platform | undefined {
  const text = asText(name)?.trim().toLowerCase();
  return text === undefined || text === "" ? undefined : (PLATFORMS.get(text) ?? "other");
}

/** The frames of the thrown exception, or of the event itself. */
function listFrames(fields: JsonFields, exceptions: readonly JsonFields[]): readonly JsonFields[] {
  const stack = asRecord(exceptions.at(-1)?.stacktrace) ?? asRecord(fields.stacktrace);
  return filterRecords((asArray(stack?.frames) ?? []).slice(-limits.maxFrames));
}

/** The legacy mangling of Rust ends with a hash. */
function isRust(frame: JsonFields): boolean {
  return [frame.function, frame.raw_function, frame.symbol].some(
    (name) => typeof name === "string" && /::h[\da-f]{16}$/.test(name),
  );
}

function isScript({ filename, abs_path: path }: JsonFields): boolean {
  const file = asText(filename) ?? asText(path) ?? "";
  return /\.(?:[cm]?[jt]sx?|vue|svelte|bundle)(?:[?#]|$)/.test(
    file.slice(0, limits.maxStringChars),
  );
}
