/**
 * Links that open a line in an editor on the reader's machine: `vscode://file/home/ada/shop/src/
 * cart.ts:7:3`. The editor and the folder of the checkout are settings of a browser, because each
 * machine has its own. The path comes from a report, so it has only names of files and folders
 * (`frame-path.ts`), and is encoded. Pure.
 */

/** A place in a checkout. */
interface Place {
  /** The path in the repository: `src/cart.ts`. */
  readonly path: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** `acme/shop` */
  readonly repository?: string | undefined;
}

/** Writes a URL from an encoded absolute path, with a slash at the start. */
type ToUrl = (path: string, line: number, column: number) => string;

const toFileUrl =
  (scheme: string): ToUrl =>
  (path, line, column) =>
    `${scheme}://file${path}:${line}:${column}`;
const toOpenUrl =
  (scheme: string): ToUrl =>
  (path, line, column) =>
    `${scheme}://open?file=${path}&line=${line}&column=${column}`;

/** The editors that register a scheme, by the word that the setting stores. */
export const EDITORS = {
  vscode: { name: "VS Code", toUrl: toFileUrl("vscode") },
  "vscode-insiders": { name: "VS Code Insiders", toUrl: toFileUrl("vscode-insiders") },
  vscodium: { name: "VSCodium", toUrl: toFileUrl("vscodium") },
  cursor: { name: "Cursor", toUrl: toFileUrl("cursor") },
  windsurf: { name: "Windsurf", toUrl: toFileUrl("windsurf") },
  zed: { name: "Zed", toUrl: toFileUrl("zed") },
  idea: { name: "IntelliJ IDEA", toUrl: toOpenUrl("idea") },
  webstorm: { name: "WebStorm", toUrl: toOpenUrl("webstorm") },
  pycharm: { name: "PyCharm", toUrl: toOpenUrl("pycharm") },
  phpstorm: { name: "PhpStorm", toUrl: toOpenUrl("phpstorm") },
} as const satisfies Record<string, { readonly name: string; readonly toUrl: ToUrl }>;

export type EditorName = keyof typeof EDITORS;

/** The editor of a browser, and where the code of a project is on its machine. */
export interface EditorSetting {
  readonly editor: EditorName;
  /** An absolute path: `/home/ada/shop`, `C:\src\shop`, `/home/ada/{repository}`. */
  readonly root: string;
}

/** The longest root that is accepted, in UTF-16 units. */
export const MAX_ROOT_CHARS = 300;
/** Stands for the name of the repository, `shop` of `acme/shop`, where a project has several. */
const REPOSITORY = "{repository}";

const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/])/;
const BAD_CHARS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The word of an editor; undefined for any other text. */
export function parseEditorName(text: string): EditorName | undefined {
  return Object.keys(EDITORS).find((name): name is EditorName => name === text);
}

/** An absolute path without its last slash; undefined for any other text. */
export function parseRoot(text: string): string | undefined {
  const root = text.trim();
  if (root.length > MAX_ROOT_CHARS || !ABSOLUTE.test(root) || BAD_CHARS.test(root))
    return undefined;
  return root.split(/[\\/]/).includes("..") ? undefined : root.replace(/(?!^)[\\/]+$/, "");
}

/** The URL of a place; undefined if the root needs the name of a repository and none is known. */
export function toEditorUrl({ editor, root }: EditorSetting, place: Place): string | undefined {
  const repository = place.repository?.split("/").at(-1);
  if (root.includes(REPOSITORY) && !repository) return undefined;
  const folder = root.replaceAll(REPOSITORY, repository ?? "").replaceAll("\\", "/");
  const segments = `${folder}/${place.path}`.split("/").filter((part) => part !== "");
  if (segments.includes("..")) return undefined;
  const [first = "", ...rest] = segments;
  // The colon of a drive stays.
  const drive = /^[A-Za-z]:$/.test(first) ? first : encodeURIComponent(first);
  const path = ["", drive, ...rest.map(encodeURIComponent)].join("/");
  return EDITORS[editor].toUrl(path, place.line ?? 1, place.column ?? 1);
}
