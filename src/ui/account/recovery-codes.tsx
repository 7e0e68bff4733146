/** The recovery codes of a person. New codes are shown once. */
import { CopyButton } from "../parts/copy-button.tsx";
import { pluralize } from "../parts/number.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { SignInAgain } from "./sign-in-again.tsx";

/** The section. `newCodes` were just created; of older codes only their number is known. */
export function RecoveryCodes({
  remaining,
  newCodes,
  mayCreate,
}: {
  readonly remaining: number;
  readonly newCodes: readonly string[];
  /** False if creating codes needs another sign-in. */
  readonly mayCreate: boolean;
}) {
  return (
    <SettingsSection
      id="recovery-codes"
      name="Recovery codes"
      description="Sign in with a recovery code if you do not have your passkey. Each code works once."
    >
      {newCodes.length > 0 && <NewCodes codes={newCodes} />}
      <form method="post" action="/profile#recovery-codes" className="form-row-inline">
        <input type="hidden" name="do" value="new-recovery-codes" />
        <p>{remaining === 0 ? "No recovery codes." : `${pluralize(remaining, "code")} left.`}</p>
        {mayCreate ? (
          <button type="submit" id="new-codes">
            {remaining === 0 ? "Create codes" : "Create new codes"}
          </button>
        ) : (
          <SignInAgain purpose="create codes" />
        )}
        {mayCreate && remaining > 0 && (
          <p className="muted">Your current codes will stop working.</p>
        )}
      </form>
    </SettingsSection>
  );
}

function NewCodes({ codes }: { codes: readonly string[] }) {
  return (
    <div className="one-time-secret codes">
      <h3>Your recovery codes</h3>
      <p>Print this page or store the codes in a password manager. They will not be shown again.</p>
      <ol>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <p>
        <CopyButton text={codes.join("\n")} label="all recovery codes" />
      </p>
    </div>
  );
}
