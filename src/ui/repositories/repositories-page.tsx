/** The repositories of a project, the rules of owners, and CODEOWNERS. */
import { use } from "react";
import { hasRole } from "../../core/accounts/actors.ts";
import {
  EDITORS,
  type EditorSetting,
  MAX_ROOT_CHARS,
} from "../../core/repositories/editor-link.ts";
import { formatHandles } from "../../core/repositories/owner-rules.ts";
import {
  type CodeOwnersFile,
  type MemberHandle,
  REPOSITORY_KINDS,
  type Repository,
  type RepositoryKind,
} from "../../core/repositories/repository.ts";
import { getRepositoryName, HOST_TITLES } from "../../core/repositories/repository-hosts.ts";
import { repositoryLimits } from "../../core/repositories/repository-limits.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskForm, DeskLink, RequireRole, useDesk } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatByteSize, pluralize } from "../parts/number.tsx";
import { safeHref } from "../parts/safe-href.ts";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { SettingsEntry } from "../settings/settings-entry.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { toReleaseUrl } from "../urls/release-urls.ts";
import { EDITOR_URL, REPOSITORIES_URL } from "../urls/settings-urls.ts";

const NAME_CHARS = 80;
const RELEASE_CHARS = 40;

/** What the page shows. */
interface ShownSettings {
  readonly repositories: readonly Repository[];
  readonly rules: string;
  readonly handles: readonly MemberHandle[];
  /** The GitHub repository of prefilled issues; empty for none. */
  readonly issuesIn: string;
  /** Each with the number of its rules. */
  readonly codeOwners: readonly (CodeOwnersFile & { readonly rules: number })[];
}

export interface RepositoriesPageProps {
  /** Null while the index is unavailable. */
  readonly data: Promise<ShownSettings | null>;
  /** The fields of a form that was rejected. */
  readonly draft?:
    | {
        readonly form: "repository" | "owners" | "issues";
        readonly fields: Readonly<Record<string, string>>;
      }
    | undefined;
  /** The editor of this browser; null without one. */
  readonly editor: EditorSetting | null;
  readonly nowMs: number;
}

export function RepositoriesPage(props: RepositoriesPageProps) {
  return (
    <>
      <Boundary name="repositories" loading={<Skeleton shape="rows" label="the repositories" />}>
        <Loaded {...props} />
      </Boundary>
      <Editor editor={props.editor} />
    </>
  );
}

function Loaded({ data, draft, nowMs }: RepositoriesPageProps) {
  const settings = use(data);
  if (settings === null)
    return (
      <p className="warning">
        <b>The settings are temporarily unavailable.</b> Please try again.
      </p>
    );
  return (
    <>
      <RepositoryList repositories={settings.repositories} draft={draft} />
      <IssueRepository {...settings} draft={draft} />
      <OwnerRules rules={settings.rules} draft={draft} />
      <Handles handles={settings.handles} draft={draft} />
      <CodeOwners files={settings.codeOwners} nowMs={nowMs} />
    </>
  );
}

type DraftProps = Pick<RepositoriesPageProps, "draft">;

function RepositoryList({ repositories, draft }: Pick<ShownSettings, "repositories"> & DraftProps) {
  const fields = draft?.form === "repository" ? draft.fields : {};
  const isNew = draft?.form === "repository" && repositories.every(({ id }) => id !== fields.id);
  return (
    <SettingsSection
      id="repositories"
      name="Repositories"
      description="Frames of your code link to their line, at the commit of the release."
    >
      {repositories.length === 0 && (
        <p className="muted">
          None yet. Frames link to the repository that the commits of their release name, if all
          name the same one on a known host.
        </p>
      )}
      <ul className="entries">
        {repositories.map((one) => (
          <RepositoryEntry
            key={one.id}
            repository={one}
            draft={fields.id === one.id ? fields : undefined}
          />
        ))}
      </ul>
      <RequireRole requiredRole="owner">
        {repositories.length < repositoryLimits.maxRepositories && (
          <details className="add-form" open={isNew}>
            <summary>Add a repository</summary>
            <RepositoryForm fields={isNew ? fields : {}} />
          </details>
        )}
      </RequireRole>
    </SettingsSection>
  );
}

function RepositoryEntry({
  repository,
  draft,
}: {
  repository: Repository;
  draft: Readonly<Record<string, string>> | undefined;
}) {
  const { id, kind, url, branch, folder, prefix } = repository;
  const href = safeHref(url);
  const name = href === undefined ? url : getRepositoryName(repository);
  return (
    <SettingsEntry
      name={
        href === undefined ? (
          <bdi>{abbreviate(name, NAME_CHARS)}</bdi>
        ) : (
          <a href={href} rel="noreferrer">
            <bdi>{abbreviate(name, NAME_CHARS)}</bdi>
          </a>
        )
      }
      facts={[
        HOST_TITLES[kind],
        branch !== undefined && (
          <>
            branch <bdi>{abbreviate(branch, NAME_CHARS)}</bdi>
          </>
        ),
        prefix !== undefined && (
          <>
            frames below <code>{abbreviate(prefix, NAME_CHARS)}</code>
          </>
        ),
        folder !== undefined && (
          <>
            folder <code>{abbreviate(folder, NAME_CHARS)}</code>
          </>
        ),
      ]}
    >
      <RequireRole requiredRole="owner">
        <DeskForm
          requiredRole="owner"
          method="post"
          action={REPOSITORIES_URL}
          className="entry-actions"
        >
          <input type="hidden" name="do" value="remove" />
          <input type="hidden" name="id" value={id} />
          <button type="submit" className="danger">
            Remove<span className="visually-hidden"> {name}</span>
          </button>
        </DeskForm>
        <details className="entry-details" open={draft !== undefined}>
          <summary aria-label={`Edit ${name}`}>Edit</summary>
          <RepositoryForm fields={draft ?? toFields(repository)} />
        </details>
      </RequireRole>
    </SettingsEntry>
  );
}

function toFields(repository: Repository): Readonly<Record<string, string>> {
  return { ...repository };
}

function RepositoryForm({ fields }: { fields: Readonly<Record<string, string>> }) {
  const { id } = fields;
  return (
    <DeskForm requiredRole="owner" method="post" action={REPOSITORIES_URL} className="form-stack">
      <input type="hidden" name="do" value="save" />
      {id !== undefined && <input type="hidden" name="id" value={id} />}
      <TextField
        name="url"
        label="URL"
        value={fields.url}
        placeholder="https://github.com/acme/shop"
        isRequired
      />
      <label>
        <span>Service</span>
        <select name="kind" defaultValue={fields.kind ?? ""}>
          <option value="">By its host</option>
          {REPOSITORY_KINDS.map((kind: RepositoryKind) => (
            <option key={kind} value={kind}>
              {HOST_TITLES[kind]}
            </option>
          ))}
        </select>
      </label>
      <TextField
        name="branch"
        label="Branch, if the commit is unknown"
        value={fields.branch}
        placeholder="the default branch"
      />
      <TextField
        name="folder"
        label="Folder of the code in the repository"
        value={fields.folder}
        placeholder="apps/web"
      />
      <TextField
        name="prefix"
        label="Only frames below"
        value={fields.prefix}
        placeholder="/srv/www/current"
      />
      <TextField
        name="template"
        label="URL of a line, for other services"
        value={fields.template}
        placeholder="https://git.example/shop/tree/{path}?id={ref}#n{line}"
      />
      <button type="submit">Save</button>
    </DeskForm>
  );
}

function TextField({
  name,
  label,
  value,
  placeholder,
  isRequired = false,
}: {
  name: string;
  label: string;
  value: string | undefined;
  placeholder: string;
  isRequired?: boolean;
}) {
  return (
    <label>
      <span>{label}</span>
      <input
        name={name}
        type="text"
        required={isRequired}
        maxLength={repositoryLimits.maxUrlChars}
        defaultValue={value}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
      />
    </label>
  );
}

/** The GitHub repository of prefilled issues. */
function IssueRepository({
  issuesIn,
  repositories,
  draft,
}: Pick<ShownSettings, "issuesIn" | "repositories"> & DraftProps) {
  const { role } = useDesk();
  const entered = draft?.form === "issues" ? draft.fields.repository : undefined;
  const example = repositories.find(({ kind }) => kind === "github");
  return (
    <SettingsSection
      id="issues"
      name="Issues on GitHub"
      description="Messages of alerts link to a prefilled issue of this repository. Errata sends nothing to GitHub."
    >
      {!hasRole(role, "owner") && (
        <p className="muted">{issuesIn === "" ? "None." : <code>{issuesIn}</code>}</p>
      )}
      <RequireRole requiredRole="owner">
        <DeskForm
          requiredRole="owner"
          method="post"
          action={REPOSITORIES_URL}
          className="form-stack"
        >
          <input type="hidden" name="do" value="issues" />
          <TextField
            name="repository"
            label="GitHub repository; empty for none"
            value={entered ?? issuesIn}
            placeholder={example === undefined ? "acme/shop" : getRepositoryName(example)}
          />
          <button type="submit">Save</button>
        </DeskForm>
      </RequireRole>
    </SettingsSection>
  );
}

function OwnerRules({ rules, draft }: Pick<ShownSettings, "rules"> & DraftProps) {
  const entered = draft?.form === "owners" ? draft.fields.rules : undefined;
  return (
    <SettingsSection
      id="owners"
      name="Owners"
      description="The last rule that matches suggests the owner of an issue. Without one, CODEOWNERS does."
    >
      <OwnersForm
        name="rules"
        label="One rule in a line"
        value={entered ?? rules}
        maxChars={repositoryLimits.maxRulesChars}
        placeholder={
          "path:src/cart/** -> @acme/cart\nurl:/checkout/* -> Ada\nassign tag:area=billing -> Ada"
        }
      />
      <p className="muted">
        A rule that begins with <code>assign</code> also assigns new issues that servers report.
        Anyone can send the paths, URLs and tags of public reports, so <code>assign public</code>{" "}
        lets them choose.
      </p>
    </SettingsSection>
  );
}

function Handles({ handles, draft }: Pick<ShownSettings, "handles"> & DraftProps) {
  const entered = draft?.form === "owners" ? draft.fields.handles : undefined;
  const [first = "Ada"] = useDesk().members ?? [];
  return (
    <SettingsSection
      id="handles"
      name="Members"
      description="The member behind a team, a handle or an email address. Names without one are shown as they are."
    >
      <OwnersForm
        name="handles"
        label="One name in a line"
        value={entered ?? formatHandles(handles)}
        maxChars={repositoryLimits.maxHandlesChars}
        placeholder={`@acme/cart = ${first}`}
      />
    </SettingsSection>
  );
}

/** The editor of the person, in this browser. */
function Editor({ editor }: Pick<RepositoriesPageProps, "editor">) {
  return (
    <SettingsSection
      id="editor"
      name="Your editor"
      description="Frames of your code also open in it. Stored in this browser, for this project."
    >
      <DeskForm method="post" action={EDITOR_URL} className="form-stack">
        <label>
          <span>Editor</span>
          <select name="editor" defaultValue={editor?.editor ?? ""}>
            <option value="">None</option>
            {Object.entries(EDITORS).map(([word, { name }]) => (
              <option key={word} value={word}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>Folder of the code on this machine</span>
          <input
            name="root"
            type="text"
            maxLength={MAX_ROOT_CHARS}
            defaultValue={editor?.root}
            placeholder="/home/ada/shop"
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <p className="muted">
          <code>{"{repository}"}</code> in the folder stands for the name of the repository.
        </p>
        <button type="submit">Save</button>
      </DeskForm>
    </SettingsSection>
  );
}

function OwnersForm({
  name,
  label,
  value,
  maxChars,
  placeholder,
}: {
  name: "rules" | "handles";
  label: string;
  value: string;
  maxChars: number;
  placeholder: string;
}) {
  const { role } = useDesk();
  if (!hasRole(role, "owner"))
    return value === "" ? (
      <p className="muted">None.</p>
    ) : (
      <pre className="shown-rules">{value}</pre>
    );
  return (
    <DeskForm requiredRole="owner" method="post" action={REPOSITORIES_URL} className="form-stack">
      <input type="hidden" name="do" value="owners" />
      <label>
        <span>{label}</span>
        <textarea
          name={name}
          rows={5}
          maxLength={maxChars}
          defaultValue={value}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      <button type="submit">Save</button>
    </DeskForm>
  );
}

function CodeOwners({ files, nowMs }: { files: ShownSettings["codeOwners"]; nowMs: number }) {
  return (
    <SettingsSection
      id="code-owners"
      name="CODEOWNERS"
      description="The newest file that a build sent with a release."
    >
      {files.length === 0 && (
        <p className="muted">
          None yet. <code>errata release</code> sends the file of the checkout. See{" "}
          <a href="/docs/repositories#codeowners">CODEOWNERS</a>.
        </p>
      )}
      <ul className="entries">
        {files.map(({ repository, path, text, release, atMs, rules }) => (
          <SettingsEntry
            key={repository ?? ""}
            name={<bdi>{abbreviate(repository ?? path, NAME_CHARS)}</bdi>}
            facts={[
              repository !== undefined && <code>{path}</code>,
              pluralize(rules, "rule"),
              formatByteSize(text.length),
              <>
                sent with{" "}
                <DeskLink href={toReleaseUrl(release)}>
                  <bdi>{abbreviate(release, RELEASE_CHARS)}</bdi>
                </DeskLink>{" "}
                <RelativeTime atMs={atMs} nowMs={nowMs} />
              </>,
            ]}
          >
            <details className="entry-details">
              <summary>Show the file</summary>
              <pre className="shown-rules">{text}</pre>
            </details>
          </SettingsEntry>
        ))}
      </ul>
    </SettingsSection>
  );
}
