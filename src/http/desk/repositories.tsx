/** `/settings/repositories`: the repositories of a project, and who owns which code. */

import { FIRST_PROJECT_ID } from "../../core/accounts/project-path.ts";
import { ok } from "../../core/result.ts";
import type { Operation } from "../../operations/operation.ts";
import {
  getRepositories,
  removeRepository,
  saveOwners,
  saveRepository,
  setIssueRepository,
  toSettingsOutput,
} from "../../operations/repositories.ts";
import {
  RepositoriesPage,
  type RepositoriesPageProps,
} from "../../ui/repositories/repositories-page.tsx";
import { REPOSITORIES_URL } from "../../ui/urls/settings-urls.ts";
import { readEditorCookie } from "../editor-cookie.ts";
import { expected, type FormFields, type Parsed } from "../forms/form-body.ts";
import type { OperationForm, RequestedOperation } from "../forms/operation-form.ts";
import { toSentText } from "../forms/validators.ts";
import { toCall, toReadFailureResponse } from "../operation-call.ts";
import { definePage } from "../pages/settings-page.tsx";
import { awaitOrNull } from "../unavailable.ts";

/** JSON: the same data; 503 while the index is unavailable. */
export const repositoriesPage = definePage<
  RepositoriesPageProps,
  Pick<RepositoriesPageProps, "draft">
>({
  path: REPOSITORIES_URL,
  role: getRepositories.role,
  title: "Repositories and owners",
  word: "Repositories",
  note: () => (
    <>
      Owners of the project change them. See{" "}
      <a href="/docs/repositories">how links and owners work</a>.
    </>
  ),
  load(c, { draft }) {
    const { nowMs } = c.get("services");
    const loaded = awaitOrNull(c, getRepositories.load({}, toCall(c)));
    return {
      data: loaded.then((read) => (read?.ok ? toSettingsOutput(read.value) : null)),
      draft,
      editor: readEditorCookie(c, c.get("project") ?? FIRST_PROJECT_ID),
      nowMs: nowMs(),
    };
  },
  view: RepositoriesPage,
  async json(c) {
    const done = await getRepositories.perform({}, toCall(c));
    return done.ok ? (done.value as object) : toReadFailureResponse(done);
  },
});

/**
 * `POST /settings/repositories`: with `do=save` or `do=remove` changes a repository, with
 * `do=owners` the rules or the members, with `do=issues` the repository of prefilled issues. A rejected form is shown again with its fields.
 */
export const repositoriesForm: OperationForm = {
  path: REPOSITORIES_URL,
  operations: [saveRepository, removeRepository, saveOwners, setIssueRepository],
  rejection: "bad-settings",
  read: readForm,
  redirectTo: (_, { operation }) => `${REPOSITORIES_URL}${SECTIONS.get(operation) ?? ""}`,
  show: (c, rejected, requested) =>
    repositoriesPage.send(c, { rejected, draft: requested && toDraft(requested) }),
};

/** The sections of the page to which its forms lead. */
const SECTIONS: ReadonlyMap<Operation, string> = new Map<Operation, string>([
  [saveOwners, "#owners"],
  [setIssueRepository, "#issues"],
]);

function readForm(fields: FormFields): Parsed<RequestedOperation> {
  const { do: action, ...input } = Object.fromEntries(fields);
  switch (action) {
    case "save":
      return ok({ operation: saveRepository, input });
    case "remove":
      return ok({ operation: removeRepository, input });
    case "owners":
      return ok({ operation: saveOwners, input });
    case "issues":
      // An empty field is not sent.
      return ok({ operation: setIssueRepository, input: { repository: "", ...input } });
    default:
      return expected("do to be save, remove, owners or issues");
  }
}

/** What was entered, as far as it is text. */
function toDraft({ operation, input }: RequestedOperation): RepositoriesPageProps["draft"] {
  const texts = Object.entries(input).map(([name, value]) => [name, toSentText(value)] as const);
  return {
    form:
      operation === saveOwners
        ? "owners"
        : operation === setIssueRepository
          ? "issues"
          : "repository",
    fields: Object.fromEntries(texts),
  };
}
