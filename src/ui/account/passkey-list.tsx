/** The passkeys of a person. One is added by a script, because the browser makes it; it is removed by a form. */

import type { Passkey } from "../../core/accounts/registry.ts";
import { limits } from "../../core/limits.ts";
import { RelativeTime } from "../parts/time.tsx";
import { SettingsEntry } from "../settings/entry.tsx";
import { SettingsSection } from "../settings/section.tsx";
import { PasskeyPrompt } from "./needs-script.tsx";

/** The section; people who have come by a code are led to it. */
export function Passkeys({
  passkeys,
  nowMs,
}: {
  readonly passkeys: readonly Passkey[];
  readonly nowMs: number;
}) {
  return (
    <SettingsSection
      id="passkeys"
      name="Passkeys"
      description="You sign in with your fingerprint, face or PIN, and there is nothing to remember. Add one for each of your devices, unless they share them."
    >
      {passkeys.length > 0 && (
        <ul className="entries">
          {passkeys.map(({ id, name, createdMs }) => (
            <SettingsEntry
              key={id}
              name={<bdi>{name}</bdi>}
              facts={[
                <>
                  added <RelativeTime atMs={createdMs} nowMs={nowMs} />
                </>,
              ]}
            >
              <form method="post" action="/profile#passkeys" className="entry-actions">
                <input type="hidden" name="do" value="remove-passkey" />
                <input type="hidden" name="passkey" value={id} />
                <button type="submit" className="danger" aria-label={`Remove ${name}`}>
                  Remove
                </button>
              </form>
            </SettingsEntry>
          ))}
        </ul>
      )}
      {passkeys.length < limits.maxPasskeysPerPerson && (
        <NewPasskeyForm isFirst={passkeys.length === 0} />
      )}
    </SettingsSection>
  );
}

/** What adds one. */
function NewPasskeyForm({ isFirst }: { isFirst: boolean }) {
  return (
    <PasskeyPrompt
      optionsUrl="/profile/passkeys/options"
      responseUrl="/profile/passkeys"
      noScriptText="A passkey is made by a script, which does not run here."
      className="form-row-inline"
    >
      <label>
        <span>Name of the device</span>
        <input
          name="name"
          type="text"
          maxLength={limits.maxPersonNameChars}
          placeholder="Laptop"
          autoComplete="off"
          dir="auto"
        />
      </label>
      <button type="button" className={isFirst ? "main-button" : undefined}>
        Add a passkey
      </button>
    </PasskeyPrompt>
  );
}
