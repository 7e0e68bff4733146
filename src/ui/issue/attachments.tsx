/** Files that came with a report: pictures to look at, everything else to save. */
import { isPicture } from "../../core/attachment.ts";
import type { Attachment, Digest, Report } from "../../core/report.ts";
import { counted, figure } from "../figure.tsx";
import { headOf } from "../long-text.tsx";
import { A } from "../place.tsx";
import { attachmentUrl } from "./issue-url.ts";

const NAME_CHARS = 80;

/** The files, each with its size; nothing when there are none. `digest` is the issue's. */
export function Attachments({ report, digest }: { report: Report; digest: Digest }) {
  const files = report.attachments ?? [];
  if (files.length === 0) return null;
  return (
    <section className="attachments">
      <h3>Attachments</h3>
      <ul>
        {files.map((file, n) => (
          <li key={n}>
            <File file={file} href={attachmentUrl(digest, report.id, n)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `812 bytes`, `152 kB`. */
function sizeOf(bytes: number): string {
  return bytes < 1_000 ? counted(bytes, "byte") : `${figure(Math.round(bytes / 1_000))} kB`;
}

function File({ file, href }: { file: Attachment; href: string }) {
  const name = <bdi>{headOf(file.name, NAME_CHARS)}</bdi>;
  const size = <span className="aside">{sizeOf(file.bytes)}</span>;
  if (file.text === undefined && file.base64 === undefined) {
    return (
      <>
        {name} {size} <span className="aside">(too large to be kept)</span>
      </>
    );
  }
  return (
    <>
      <A href={href}>{name}</A> {size}
      {isPicture(file.type) && <img className="picture" src={href} alt="" loading="lazy" />}
    </>
  );
}
