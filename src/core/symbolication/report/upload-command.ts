/** The command that uploads the maps of a build, filled in for a POSIX shell. Pure. */

/** A build as the frames of a report name it, and the project that receives its maps. */
export interface NamedBuild {
  readonly project?: string | undefined;
  readonly release?: string | undefined;
  readonly dist?: string | undefined;
}

/** Characters without a meaning in a shell. A tilde is expanded at the start of a word. */
const PLAIN_WORD = /^[\w@.+/:][\w@.+/:=-]*$/;
/** Characters that are not displayed, or that reorder the text around them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]/u;
const MAX_WORD_CHARS = 200;

/** `text` as one word of a shell; undefined if a reader could not see all of its characters. */
export function quoteShellWord(text: string): string | undefined {
  if (text === "" || text.length > MAX_WORD_CHARS || INVISIBLE.test(text)) return undefined;
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * `sentry-cli sourcemaps upload --project 1 --release shop@1.4.0 --url-prefix '~/assets'
 * dist/assets`. `file` is the script as frames name it; without it, the command has no prefix and
 * relies on debug ids. `withHost` names the host of the script in the prefix.
 */
export function formatUploadCommand(
  build: NamedBuild,
  file?: string,
  { withHost = false } = {},
): string {
  const url = file !== undefined && /^https?:\/\//i.test(file) ? URL.parse(file) : null;
  const folder = url?.pathname.replace(/\/[^/]*$/, "");
  const root = withHost ? url?.origin : "~";
  return [
    "sentry-cli sourcemaps upload",
    formatOption("--project", build.project),
    formatOption("--release", build.release),
    formatOption("--dist", build.dist),
    formatOption("--url-prefix", folder === undefined ? undefined : `${root}${folder}`),
    folder === undefined ? "dist" : (quoteShellWord(toBuildFolder(folder)) ?? "dist"),
  ]
    .filter((part) => part !== undefined)
    .join(" ");
}

function formatOption(name: string, value: string | undefined): string | undefined {
  const word = value === undefined || value.startsWith("-") ? undefined : quoteShellWord(value);
  return word === undefined ? undefined : `${name} ${word}`;
}

/** Next.js serves `.next` as `/_next`; other bundlers write the paths of the site into `dist`. */
function toBuildFolder(urlFolder: string): string {
  const path = decodeFolder(urlFolder);
  return path.startsWith("/_next/") ? path.replace("/_next/", ".next/") : `dist${path}`;
}

function decodeFolder(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
