/** The server key on the connect page: how to use one, and a form that creates one. */
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import { SERVER_KEY_PLACEHOLDER } from "./integration.ts";

export interface ServerKeySectionProps {
  /** True if the project has a server key; undefined if that is unknown. */
  readonly hasServerKey: boolean | undefined;
}

export function ServerKeySection({ hasServerKey }: ServerKeySectionProps) {
  return (
    <section aria-labelledby="server-key">
      <h2 id="server-key">Server key</h2>
      <p>
        Servers send reports with a server key, so that Errata can distinguish them from reports of
        strangers. Replace <code>{SERVER_KEY_PLACEHOLDER}</code> in the code above with the key. It
        is a secret: keep it out of pages and repositories.
      </p>
      <p>
        {hasServerKey === true
          ? "This project has a server key, which was shown once. If you do not have it, create another one."
          : "A server key is shown once, when it is created."}{" "}
        Owners manage keys in <DeskLink href="/settings#keys">settings</DeskLink>.
      </p>
      <DeskForm requiredRole="owner" method="post" action="/settings#keys">
        <input type="hidden" name="do" value="add-key" />
        <input type="hidden" name="kind" value="server" />
        <input type="hidden" name="name" value="Server" />
        <button type="submit">Create server key</button>
      </DeskForm>
    </section>
  );
}
