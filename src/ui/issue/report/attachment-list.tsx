/** Files that came with a report. Images are shown inline, other files are downloads. */
import { limits } from "../../../core/limits.ts";
import { isInlineImage } from "../../../core/report/attachment.ts";
import type { Attachment, Digest, Report } from "../../../core/report.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { formatByteSize } from "../../parts/number.tsx";
import { toAttachmentUrl } from "../../urls/issue-urls.ts";

const NAME_CHARS = 80;

/** The files with their sizes. `digest` is the issue's. */
export function Attachments({ report, digest }: { report: Report; digest: Digest }) {
  const files = report.attachments ?? [];
  if (files.length === 0) return null;
  return (
    <section className="attachments">
      <h3>Attachments</h3>
      <ul>
        {files.map((file, n) => (
          <li key={n}>
            <AttachmentLink file={file} href={toAttachmentUrl(digest, report.id, n)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Why the contents were not kept. */
function formatReason({ notKept = "too-large" }: Attachment): string {
  return notKept === "too-large"
    ? "not kept: too large"
    : `not kept: a report keeps ${limits.maxAttachments}`;
}

function AttachmentLink({ file, href }: { file: Attachment; href: string }) {
  const name = <bdi>{abbreviate(file.name, NAME_CHARS)}</bdi>;
  const size = <span className="muted">{formatByteSize(file.bytes)}</span>;
  if (file.text === undefined && file.base64 === undefined) {
    return (
      <>
        {name} {size} <span className="muted">({formatReason(file)})</span>
      </>
    );
  }
  return (
    <>
      <DeskLink href={href}>{name}</DeskLink> {size}
      {isInlineImage(file.type) && <img className="picture" src={href} alt="" loading="lazy" />}
    </>
  );
}
