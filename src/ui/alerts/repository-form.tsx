/** The GitHub repository of a project, for links to a prefilled issue. */
import { DeskForm, RequireRole } from "../parts/desk-context.tsx";
import { SettingsSection } from "../settings/section.tsx";
import { toAlertFormUrl } from "../urls/alert-urls.ts";

export function RepositoryForm({ repository }: { readonly repository: string | undefined }) {
  return (
    <SettingsSection
      id="github"
      name="GitHub"
      description="Messages link to a prefilled issue of this repository. Errata sends nothing to GitHub."
    >
      <p>{repository === undefined ? "No repository." : <code>{repository}</code>}</p>
      <RequireRole requiredRole="owner">
        <DeskForm
          requiredRole="owner"
          method="post"
          action={toAlertFormUrl("github")}
          className="form-stack"
        >
          <input type="hidden" name="do" value="save" />
          <label>
            <span>GitHub repository</span>
            <input
              name="repository"
              type="text"
              required
              maxLength={200}
              defaultValue={repository}
              placeholder="owner/name"
              autoComplete="off"
              spellCheck={false}
            />
          </label>
          <button type="submit">Save</button>
        </DeskForm>
        {repository !== undefined && (
          <DeskForm requiredRole="owner" method="post" action={toAlertFormUrl("github")}>
            <input type="hidden" name="do" value="remove" />
            <button type="submit" className="danger">
              Remove
            </button>
          </DeskForm>
        )}
      </RequireRole>
    </SettingsSection>
  );
}
