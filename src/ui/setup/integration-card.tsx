/** An integration: a closed `details` with one snippet for each file. */
import { CodeBlock } from "../parts/code/code-tokens.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { type Integration, SERVER_KEY_PLACEHOLDER, type Snippet } from "./integration.ts";

/** `hasPublicKey` is true if the project has a public key. */
export function IntegrationCard({
  integration,
  hasPublicKey,
}: {
  readonly integration: Integration;
  readonly hasPublicKey: boolean;
}) {
  const { id, name, description, snippets, note, keyKind } = integration;
  return (
    <details className="integration">
      <summary>
        <h3>{name}</h3>
      </summary>
      {/* A URL that ends with #next opens the details around it. */}
      <div id={id} className="integration-body">
        <p>{description}</p>
        {keyKind === "public" && !hasPublicKey && <PublicKeyMissing />}
        {keyKind === "server" && <ServerKeyHint />}
        {snippets.map((snippet) => (
          <SnippetBlock key={snippet.file} snippet={snippet} name={name} />
        ))}
        {note !== undefined && (
          <p className="muted">
            <NoteText text={note} />
          </p>
        )}
      </div>
    </details>
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

function ServerKeyHint() {
  return (
    <p className="muted">
      Replace <code>{SERVER_KEY_PLACEHOLDER}</code> with your <a href="#server-key">server key</a>.
    </p>
  );
}
