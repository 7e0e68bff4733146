/** The recovery codes of a person: how many are left, and new ones, which are shown once. */
import { CopyButton } from "../parts/copy-button.tsx";
import { pluralize } from "../parts/number.tsx";
import { SettingsSection } from "../settings/section.tsx";

/** The section. `codes` were made just now; of those that were made before, only how many are `left` is known. */
export function RecoveryCodes({
  remaining,
  newCodes,
}: {
  readonly remaining: number;
  readonly newCodes: readonly string[];
}) {
  return (
    <SettingsSection
      id="recovery-codes"
      name="Recovery codes"
      description="For the day on which no passkey is at hand. Each lets you in once."
    >
      {newCodes.length > 0 && <NewCodes codes={newCodes} />}
      <form method="post" action="/profile#recovery-codes" className="form-row-inline">
        <input type="hidden" name="do" value="new-recovery-codes" />
        <p>{remaining === 0 ? "You have none." : `${pluralize(remaining, "code")} left.`}</p>
        <button type="submit" id="new-codes">
          {remaining === 0 ? "Make codes" : "Make new codes"}
        </button>
        {remaining > 0 && <p className="muted">Those that you have now are good no more then.</p>}
      </form>
    </SettingsSection>
  );
}

function NewCodes({ codes }: { codes: readonly string[] }) {
  return (
    <div className="one-time-secret codes">
      <h3>Your recovery codes</h3>
      <p>
        Print this page, or keep them where you keep passwords: only their hashes are stored, and
        nobody can show them again.
      </p>
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
