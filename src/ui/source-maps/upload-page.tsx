/** The files of an upload, with their problems. */

import type { ArtifactFile } from "../../core/ports/source-maps-port.ts";
import { escapeInvisible } from "../../core/symbolication/source-names.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatByteSize, formatNumber, pluralize } from "../parts/number.tsx";
import { SOURCE_MAPS_URL } from "../urls/source-map-urls.ts";

const URL_CHARS = 300;
const PROBLEM_CHARS = 400;

/** The page at `/source-maps/<id>`. */
export function UploadPage({
  id,
  files,
}: {
  readonly id: string;
  /** Null while the object with the maps is unavailable. */
  readonly files: readonly ArtifactFile[] | null;
}) {
  return (
    <div className="source-maps-page">
      <header className="page-header">
        <h1>
          Upload <code>{id.slice(0, 8)}</code>
        </h1>
        <p>
          <DeskLink href={SOURCE_MAPS_URL}>All uploads</DeskLink>
        </p>
      </header>
      {files === null ? (
        <p className="warning">
          <b>Source maps are temporarily unavailable.</b> Accepted uploads are kept.
        </p>
      ) : (
        <FileTable files={files} />
      )}
    </div>
  );
}

export function UnknownUploadPage() {
  return (
    <div className="prose">
      <h1>Unknown upload</h1>
      <p>
        It was deleted, or it has expired. <DeskLink href={SOURCE_MAPS_URL}>All uploads</DeskLink>
      </p>
    </div>
  );
}

function FileTable({ files }: { files: readonly ArtifactFile[] }) {
  if (files.length === 0) return <p className="muted">This upload has no files.</p>;
  const withProblems = files.filter(({ problems }) => problems.length > 0);
  const sorted = [...withProblems, ...files.filter(({ problems }) => problems.length === 0)];
  return (
    <>
      <p className="muted spaced">
        {pluralize(files.length, "file")}
        {withProblems.length > 0 && `, ${formatNumber(withProblems.length)} with problems`}
      </p>
      <table className="artifact-files">
        <caption className="visually-hidden">Files, those with problems first</caption>
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Kind</th>
            <th scope="col">Debug id</th>
            <th scope="col" className="number">
              Size
            </th>
            <th scope="col">Sources</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((file, n) => (
            <FileRow key={n} file={file} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function FileRow({ file }: { file: ArtifactFile }) {
  const { url, kind, debugId, bytes, sources, sourcesWithText = 0, problems } = file;
  return (
    <tr className="artifact-file">
      <th scope="row" className="main-cell">
        <bdi>{abbreviate(escapeInvisible(url), URL_CHARS)}</bdi>
        {problems.map((problem, n) => (
          <span key={n} className="upload-problem">
            <bdi>{abbreviate(escapeInvisible(problem), PROBLEM_CHARS)}</bdi>
          </span>
        ))}
      </th>
      <td>{kind}</td>
      <td>{debugId !== undefined && <code title={debugId}>{debugId.slice(0, 8)}…</code>}</td>
      <td className="number">{formatByteSize(bytes)}</td>
      <td>
        {sources !== undefined &&
          (sourcesWithText === sources
            ? pluralize(sources, "source")
            : `${formatNumber(sourcesWithText)} of ${formatNumber(sources)} with text`)}
      </td>
    </tr>
  );
}
