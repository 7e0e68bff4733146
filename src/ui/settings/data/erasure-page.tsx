/** The page of an erasure: its progress, its preview with the confirmation, or its result. */
import { Fragment } from "react";
import { type ErasureCounts, isCommonText, type TextErasure } from "../../../core/erasure.ts";
import { SettingsFrame } from "../../layout/settings-frame.tsx";
import { DeskForm, DeskLink } from "../../parts/desk-context.tsx";
import { formatNumber, pluralize } from "../../parts/number.tsx";
import { TypedConfirmation, TypedField } from "../../parts/typed-confirmation.tsx";
import { toErasureUrl } from "../../urls/erasure-urls.ts";
import { toIssueUrl } from "../../urls/issue-urls.ts";
import { toUploadDeletionUrl, toUploadUrl } from "../../urls/source-map-urls.ts";

/** The page; null for an unknown or expired erasure. */
export function ErasurePage({ erasure }: { erasure: TextErasure | null }) {
  return (
    <SettingsFrame current="/settings/data" title="Erase personal data">
      {erasure === null ? (
        <p>This preview does not exist, or has expired.</p>
      ) : (
        <Stage {...erasure} />
      )}
      <p className="erasure-end">
        <DeskLink href="/settings/data">
          {erasure === null ? "Start again" : isPreview(erasure) ? "Cancel" : "Project data"}
        </DeskLink>
      </p>
    </SettingsFrame>
  );
}

function isPreview({ found, erasedReports, work }: TextErasure): boolean {
  return found !== undefined && erasedReports === undefined && work === undefined;
}

function Stage({ id, text, found, digests, erasedReports, work }: TextErasure) {
  if (erasedReports !== undefined && found !== undefined) {
    return (
      <>
        <p className="success">
          Erased from {pluralize(erasedReports, "report")} of {pluralize(found.issues, "issue")} and{" "}
          {pluralize(found.comments, "comment")}. Copies disappear from Cloudflare’s caches within
          an hour.
        </p>
        <UploadsWithText {...found} />
      </>
    );
  }
  if (work !== undefined) return <Progress id={id} isErasing={found !== undefined} {...work} />;
  if (text === undefined || found === undefined) return null;
  return <Preview id={id} text={text} found={found} digests={digests} />;
}

function Progress({
  id,
  isErasing,
  done,
  total,
}: {
  id: string;
  isErasing: boolean;
  done: number;
  total: number;
}) {
  return (
    <p className="warning" role="status">
      <b>{isErasing ? "Erasing" : "Counting"}</b>
      {total > 0 && `: ${formatNumber(done)} of ${pluralize(total, "chunk")}`}. It continues in the
      background. <DeskLink href={toErasureUrl(id)}>Check again</DeskLink>
    </p>
  );
}

/** Uploads with the text, which stay until an owner deletes them. */
function UploadsWithText({ uploads = [] }: Pick<ErasureCounts, "uploads">) {
  if (uploads.length === 0) return null;
  return (
    <>
      <p className="warning">
        <b>{pluralize(uploads.length, "upload")} of source maps contained the text.</b> An erasure
        does not change uploads. Delete them here, and upload maps without the text if you still
        need them.
      </p>
      <ul className="plain-list">
        {uploads.map((id) => (
          <li key={id}>
            <DeskForm
              method="post"
              action={toUploadDeletionUrl(id)}
              className="form-row-inline"
              requiredRole="owner"
            >
              <DeskLink href={toUploadUrl(id)}>Upload {id.slice(0, 8)}</DeskLink>
              <button
                type="submit"
                className="danger"
                aria-label={`Delete upload ${id.slice(0, 8)}`}
              >
                Delete
              </button>
            </DeskForm>
          </li>
        ))}
      </ul>
    </>
  );
}

interface PreviewProps {
  readonly id: string;
  readonly text: string;
  readonly found: ErasureCounts;
  readonly digests: TextErasure["digests"];
}

function Preview({ id, text, found, digests = [] }: PreviewProps) {
  const { examined, reports, issues, comments } = found;
  const isCommon = isCommonText(found);
  const isFound = reports + issues + comments > 0;
  return (
    <>
      <p className="intro">
        <bdi className="query-text">{text}</bdi> is in{" "}
        <b>
          {formatNumber(reports)} of {pluralize(examined, "report")}
        </b>
        , <b>{pluralize(issues, "issue")}</b> and <b>{pluralize(comments, "comment")}</b>.
      </p>
      {digests.length > 0 && (
        <p>
          {digests.map((digest) => (
            <Fragment key={digest}>
              <DeskLink href={toIssueUrl(digest)}>
                <code>{digest}</code>
              </DeskLink>{" "}
            </Fragment>
          ))}
          {issues > digests.length && `and ${formatNumber(issues - digests.length)} more`}
        </p>
      )}
      <ul className="plain-list">
        {isFound ? (
          <li>The contents of these reports are deleted. The issues still count them.</li>
        ) : (
          <li>
            Check the spelling. The preview does not search releases, saved views and alert rules.
            If only these contain the text, you can still erase it from them.
          </li>
        )}
        <li>
          In titles, comments, releases, saved views and alert rules, only this text is replaced.
        </li>
        <li>This cannot be undone.</li>
      </ul>
      <UploadsWithText {...found} />
      {isCommon && (
        <p className="warning">
          More than 5&nbsp;% of all reports contain this text. Is it a common word?
        </p>
      )}
      <DeskForm method="post" action="/erase" className="stacked-form" requiredRole="owner">
        <input type="hidden" name="preview" value={id} />
        {isCommon && (
          <TypedField name="reports" text={String(reports)} label="the number of reports" />
        )}
        <TypedConfirmation
          name="confirm"
          text={text}
          isAnyCase
          buttonLabel={
            isFound
              ? `Erase from ${pluralize(reports, "report")}`
              : "Erase from releases and saved views"
          }
        />
      </DeskForm>
    </>
  );
}
