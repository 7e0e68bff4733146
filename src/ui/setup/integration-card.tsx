/** An integration: a closed `details` with one snippet for each file. */
import { CopyButton } from "../parts/copy-button.tsx";
import type { Integration, Snippet } from "./integration.ts";

/** `hasKey` is true if the project has an ingest key. */
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
      {/* A URL that ends with #next opens the details around it. */}
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
        <CopyButton text={text} label={`the code for ${name}, ${file}`} />
      </figcaption>
      <pre>
        <code>{text}</code>
      </pre>
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

function KeyMissing() {
  return (
    <p className="key-missing">
      This needs an ingest key. Set one with <code>npx wrangler secret put ERRATA_KEY</code> (8 to
      64 letters, digits or underscores), then reload this page.
    </p>
  );
}
