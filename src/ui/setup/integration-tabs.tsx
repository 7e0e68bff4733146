/**
 * Integrations as tabs: radio buttons, so that they work without scripts. The checked one shows its
 * panel below all tabs.
 */
import { CodeBlock } from "../parts/code/code-tokens.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import { type Integration, SERVER_KEY_PLACEHOLDER, type Snippet } from "./integration.ts";

/**
 * The tabs of a group. The one whose id is in `chosenTabs` is checked, or the first of them.
 * `hasPublicKey`: whether the project has a public key.
 */
export function IntegrationTabs({
  name,
  integrations,
  chosenTabs,
  hasPublicKey,
}: {
  name: string;
  integrations: readonly Integration[];
  chosenTabs: readonly string[];
  hasPublicKey: boolean;
}) {
  const chosen = integrations.find(({ id }) => chosenTabs.includes(id)) ?? integrations[0];
  return (
    <fieldset className="integration-tabs">
      <legend className="visually-hidden">{name}</legend>
      {integrations.map((integration) => (
        <div key={integration.id} className="integration">
          <input
            className="visually-hidden"
            type="radio"
            name={name}
            id={`tab-${integration.id}`}
            value={integration.id}
            defaultChecked={integration === chosen}
          />
          <label htmlFor={`tab-${integration.id}`} data-initials={toInitials(integration.name)}>
            {integration.name}
          </label>
          <IntegrationPanel integration={integration} hasPublicKey={hasPublicKey} />
        </div>
      ))}
    </fieldset>
  );
}

/** "Nx" of Next.js, "RR" of React Router: two letters in place of a logo. */
function toInitials(name: string): string {
  const [first = "", second = ""] = name.match(/[A-Z][a-z]*|[a-z]+|\d+/g) ?? [];
  const letters = second === "" ? first.slice(0, 2) : first.charAt(0) + second.charAt(0);
  return letters.charAt(0).toUpperCase() + letters.slice(1);
}

function IntegrationPanel({
  integration,
  hasPublicKey,
}: {
  integration: Integration;
  hasPublicKey: boolean;
}) {
  const { id, name, description, endpoint, snippets, note, docs, keyKind } = integration;
  const hasPlaceholder = snippets.some(({ code }) => code.includes(SERVER_KEY_PLACEHOLDER));
  const isKeyMissing = keyKind === "public" && !hasPublicKey;
  return (
    <div id={id} className="integration-panel">
      <p>{description}</p>
      {isKeyMissing && <PublicKeyMissing />}
      {endpoint !== undefined && !isKeyMissing && (
        <dl className="endpoint">
          <dt>{endpoint.name}</dt>
          <dd>
            <code>{endpoint.value}</code>{" "}
            <CopyButton text={endpoint.value} label={`the ${endpoint.name} for ${name}`} />
          </dd>
        </dl>
      )}
      {keyKind === "server" && (hasPlaceholder ? <ServerKeyHint tab={id} /> : <NewKeyNote />)}
      {snippets.map((snippet) => (
        <SnippetBlock key={snippet.file} snippet={snippet} name={name} />
      ))}
      {docs !== undefined && (
        <p>
          See <a href={docs}>{name}</a> for what is shown where, and for code that you already have.
        </p>
      )}
      {note !== undefined && (
        <p className="muted">
          <NoteText text={note} />
        </p>
      )}
    </div>
  );
}

function SnippetBlock({ snippet: { file, code: text }, name }: { snippet: Snippet; name: string }) {
  return (
    <figure className="snippet-block">
      <figcaption>
        <span className="file">{file}</span>
        <CopyButton text={text} label={`the code for ${name}, ${file}`} />
      </figcaption>
      <CodeBlock code={text} file={file === "terminal" ? "terminal.sh" : file} />
    </figure>
  );
}

/** Renders the text after the last ": " as code. */
function NoteText({ text }: { text: string }) {
  const at = text.lastIndexOf(": ") + 2;
  return (
    <>
      {text.slice(0, at)}
      <code>{text.slice(at)}</code>
    </>
  );
}

function PublicKeyMissing() {
  return (
    <p className="key-missing">
      This needs a public key. Add one in <DeskLink href="/settings#keys">settings</DeskLink>, then
      reload this page.
    </p>
  );
}

/** `tab` opens again after a key was created. */
function ServerKeyHint({ tab }: { tab: string }) {
  return (
    <div className="server-key-hint">
      <p className="muted">
        Replace <code>{SERVER_KEY_PLACEHOLDER}</code> with your <a href="#server-key">server key</a>
        .
      </p>
      <CreateServerKeyForm tab={tab} />
    </div>
  );
}

function NewKeyNote() {
  return (
    <p className="success">
      This code contains the new server key. Copy it now. It will not be shown again.
    </p>
  );
}

/** Creates a server key and shows this page with it, at the integration `tab`. */
export function CreateServerKeyForm({ tab }: { tab: string }) {
  return (
    <DeskForm requiredRole="owner" method="post" action={`/connect#${tab}`}>
      <button type="submit">Create server key</button>
    </DeskForm>
  );
}
