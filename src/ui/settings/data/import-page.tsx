/** The page after an import by form: its result, or why it ended early. */
import { SettingsFrame } from "../../layout/settings-frame.tsx";
import { DeskForm, DeskLink } from "../../parts/desk-context.tsx";
import { pluralize } from "../../parts/number.tsx";

interface ImportSummary {
  readonly lineCount: number;
  readonly restoredCount: number;
  readonly duplicateCount: number;
  /** Decisions, annotations and saved views. */
  readonly triageCount: number;
  readonly isComplete: boolean;
}

/** Props of the page: the result, or the detail of the failure. */
type ImportPageProps =
  | { readonly summary: ImportSummary }
  | { readonly failure: string; readonly isOwnExport: boolean };

export function ImportPage(props: ImportPageProps) {
  return (
    <SettingsFrame current="/settings/data" title="Import">
      {"summary" in props ? <Summary {...props.summary} /> : <Failed {...props} />}
      <p className="spaced">
        <DeskLink href="/settings/data">Project data</DeskLink>
      </p>
    </SettingsFrame>
  );
}

function Summary(summary: ImportSummary) {
  const { lineCount, restoredCount, duplicateCount, triageCount, isComplete } = summary;
  return (
    <>
      <p className="success">
        Imported {pluralize(lineCount, "line")}, without first and last lines of exports.
      </p>
      <ul className="plain-list">
        <li>{pluralize(restoredCount, "line")} of reports and counters restored</li>
        <li>{pluralize(duplicateCount, "line")} already known and not counted again</li>
        <li>
          {pluralize(
            triageCount,
            "issue state, comment or view",
            "issue states, comments and views",
          )}
        </li>
      </ul>
      {!isComplete && (
        <p className="warning">
          This was not a complete export: its first or last line is missing. Import its other parts
          too.
        </p>
      )}
      <p>
        <DeskLink href="/issues">Open issues</DeskLink>
      </p>
    </>
  );
}

function Failed({ failure, isOwnExport }: { failure: string; isOwnExport: boolean }) {
  return (
    <>
      <p className="warning">{failure}</p>
      {isOwnExport && (
        <>
          <p>Erase this project before you import the file. Then choose the file again:</p>
          <ImportForm isOwnExport />
        </>
      )}
    </>
  );
}

/** The form that uploads an export; `isOwnExport` imports an export of the same project too. */
export function ImportForm({ isOwnExport = false }: { isOwnExport?: boolean }) {
  return (
    <DeskForm
      method="post"
      action={isOwnExport ? "/import?own=1" : "/import"}
      encType="multipart/form-data"
    >
      <label>
        <span>Export file (.ndjson, at most 100 MB)</span>
        <input name="file" type="file" accept=".ndjson,application/x-ndjson" required />
      </label>
      <button type="submit">{isOwnExport ? "Import anyway" : "Import"}</button>
    </DeskForm>
  );
}
