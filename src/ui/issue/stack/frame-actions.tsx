/** What can be done with one frame: open its line in the repository or in an editor, or copy it. */
import {
  EDITORS,
  type EditorSetting,
  toEditorUrl,
} from "../../../core/repositories/editor-link.ts";
import type { SourceLink } from "../../../core/repositories/source-link.ts";
import { safeEditorHref } from "../../parts/safe-href.ts";

const COMMIT_CHARS = 10;
/** Longer names of hosts would take the room of the frame. */
const HOST_CHARS = 9;
const PLACE_CHARS = 1_000;

/** Where the code of a frame is. */
export interface FrameCode {
  /** Its line in a repository. */
  readonly link?: SourceLink | undefined;
  /** Its path in the repository: `src/cart.tsx`. */
  readonly path?: string | undefined;
  /** `acme/shop` */
  readonly repository?: string | undefined;
}

interface FrameActionsProps extends FrameCode {
  /** As the frame shows it. */
  readonly place: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly editor: EditorSetting | null;
}

/** The links and the button; nothing for a frame without a file. */
export function FrameActions(props: FrameActionsProps) {
  const { link, path, place, line } = props;
  const file = path ?? place;
  if (file === undefined || file.length > PLACE_CHARS) return null;
  const text = line === undefined ? file : `${file}:${line}`;
  return (
    <div className="frame-actions">
      {link !== undefined && <RepositoryLink link={link} line={line} />}
      <button type="button" className="copy" data-copy={text}>
        Copy {line === undefined ? "path" : "path:line"}
        <span className="visually-hidden">, {text}</span>
      </button>
      <EditorLink {...props} />
      <output className="copied" data-copied="" aria-live="polite" />
    </div>
  );
}

/** Opens the line in the repository. Its tooltip has the path there, and the commit. */
function RepositoryLink({ link, line }: { link: SourceLink; line: number | undefined }) {
  const { url, host, path, repository, revision } = link;
  const at = revision.commit?.slice(0, COMMIT_CHARS) ?? revision.branch;
  const place = line === undefined ? path : `${path}:${line}`;
  return (
    <a
      className="frame-source"
      href={url}
      rel="noreferrer"
      title={`${repository}: ${place}${at === undefined ? "" : ` at ${at}`}`}
    >
      Open in {host.length > HOST_CHARS ? "repository" : host}
      <span className="visually-hidden">, {place}</span>
    </a>
  );
}

function EditorLink({ editor, path, line, column, repository }: FrameActionsProps) {
  if (editor === null || path === undefined) return null;
  const href = safeEditorHref(toEditorUrl(editor, { path, line, column, repository }));
  if (href === undefined) return null;
  return (
    <a className="frame-editor" href={href}>
      <span className="visually-hidden">Open in </span>
      {EDITORS[editor.editor].name}
    </a>
  );
}
