/** The form that uploads an export. */
import { DeskForm } from "../../parts/desk-context.tsx";

/** The form; `isOwnExport` imports an export of the same project too. */
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
