/** The passkeys of a person. A script adds them, because the browser creates them. */

import type { Passkey } from "../../core/accounts/registry.ts";
import { limits } from "../../core/limits.ts";
import { RelativeTime } from "../parts/time.tsx";
import { SettingsEntry } from "../settings/settings-entry.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { PasskeyPrompt } from "./needs-script.tsx";
import { SignInAgain } from "./sign-in-again.tsx";

/** The section. Signing in with a code leads to it. */
export function Passkeys({
  passkeys,
  mayChange,
  nowMs,
}: {
  readonly passkeys: readonly Passkey[];
  /** False if adding or removing one needs another sign-in. */
  readonly mayChange: boolean;
  readonly nowMs: number;
}) {
  return (
    <SettingsSection
      id="passkeys"
      name="Passkeys"
      description="Sign in with your fingerprint, face or PIN. Add one passkey for each device, unless your devices share them."
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
              {mayChange && (
                <form method="post" action="/profile#passkeys" className="entry-actions">
                  <input type="hidden" name="do" value="remove-passkey" />
                  <input type="hidden" name="passkey" value={id} />
                  <button type="submit" className="danger" aria-label={`Remove ${name}`}>
                    Remove
                  </button>
                </form>
              )}
            </SettingsEntry>
          ))}
        </ul>
      )}
      {mayChange ? (
        passkeys.length < limits.maxPasskeysPerPerson && (
          <NewPasskeyForm isFirst={passkeys.length === 0} />
        )
      ) : (
        <div className="form-row-inline">
          <SignInAgain purpose="add or remove passkeys" />
        </div>
      )}
    </SettingsSection>
  );
}

function NewPasskeyForm({ isFirst }: { isFirst: boolean }) {
  return (
    <PasskeyPrompt
      optionsUrl="/profile/passkeys/options"
      responseUrl="/profile/passkeys"
      noScriptText="Passkeys need JavaScript, which is not running on this page."
      className="form-row-inline"
    >
      <label>
        <span>Device name</span>
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
        Add passkey
      </button>
    </PasskeyPrompt>
  );
}
