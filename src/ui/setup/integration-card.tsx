/** One way to report here: closed until somebody wants it, then its lines, file by file. */
import { CopyButton } from "../parts/copy-button.tsx";
import type { Integration, Snippet } from "./integration.ts";

/** The way; `hasKey` says whether an ingest key is configured. */
export function IntegrationCard({
  integration,
  hasKey,
}: {
  readonly integration: Integration;
  readonly hasKey: boolean;
}) {
  const { id, name, description, snippets, note, needsKey } = integration;
  return (
    <details className="integration">
      <summary>
        <h3>{name}</h3>
      </summary>
      {/* An address that ends in #next opens what it is in. */}
      <div id={id} className="integration-body">
        <p>{description}</p>
        {needsKey && !hasKey && <KeyMissing />}
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
        <CopyButton text={text} label={`the lines for ${name}, ${file}`} />
      </figcaption>
      <pre>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

/** What stands behind the last ": " is typed as it stands. */
function NoteText({ text }: { text: string }) {
  const at = text.lastIndexOf(": ") + 2;
  return (
    <>
      {text.slice(0, at)}
      <code>{text.slice(at)}</code>
    </>
  );
}

function KeyMissing() {
  return (
    <p className="key-missing">
      This needs a key, and none is set yet: <code>npx wrangler secret put ERRATA_KEY</code>, 8 to
      64 letters, digits or underscores. Then reload this page.
    </p>
  );
}
