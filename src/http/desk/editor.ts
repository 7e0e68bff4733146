/** `POST /settings/repositories/editor`: sets the editor of this browser for the project. */
import { FIRST_PROJECT_ID } from "../../core/accounts/project-path.ts";
import {
  type EditorSetting,
  MAX_ROOT_CHARS,
  parseEditorName,
  parseRoot,
} from "../../core/repositories/editor-link.ts";
import { ok } from "../../core/result.ts";
import { REPOSITORIES_URL } from "../../ui/urls/settings-urls.ts";
import type { AppContext } from "../context.ts";
import { createEditorCookie } from "../editor-cookie.ts";
import { expected, type FormFields, type Parsed, readForm } from "../forms/form-body.ts";
import { rerenderFormOnError } from "../forms/form-error-page.ts";
import { respondToAction } from "../forms/respond.ts";
import { repositoriesPage } from "./repositories.tsx";

/**
 * Takes `editor`, a word of `EDITORS` or "" for none, and `root`, the absolute path of the checkout.
 * Redirects to the settings, or shows why the form is invalid; JSON: `{"editor":"vscode"}`.
 */
export async function updateEditor(c: AppContext): Promise<Response> {
  const response = await respondToAction(c, async () => {
    const form = await readForm(c.req.raw, "bad-settings", parseEditorForm);
    if (!form.ok) return form;
    const project = c.get("project") ?? FIRST_PROJECT_ID;
    c.header("Set-Cookie", createEditorCookie(project, form.value, new URL(c.req.url)));
    return ok({
      body: { editor: form.value?.editor ?? null },
      redirectTo: `${REPOSITORIES_URL}#editor`,
    });
  });
  return rerenderFormOnError(c, response, (rejected) => repositoriesPage.send(c, { rejected }));
}

function parseEditorForm(fields: FormFields): Parsed<EditorSetting | null> {
  // Fields without text are omitted.
  const [word = "", text] = [fields.get("editor"), fields.get("root")];
  if (word === "") return ok(null);
  const editor = typeof word === "string" ? parseEditorName(word) : undefined;
  if (editor === undefined) return expected("editor to be one of the list");
  const root = typeof text === "string" ? parseRoot(text) : undefined;
  return root === undefined
    ? expected(`root to be an absolute path of at most ${MAX_ROOT_CHARS} characters`)
    : ok({ editor, root });
}
