/** The texts of reports that a token may read, and a select for them. */
import { isAtLeast, SENT_HOW, TRUST_LEVELS, type Trust } from "../../core/trust/trust.ts";

const TRUST_LABELS: Readonly<Record<Trust, string>> = {
  server: `Only text sent ${SENT_HOW.server}`,
  page: `Also text sent ${SENT_HOW.page}`,
  public: `All text, also sent ${SENT_HOW.public}`,
};

/** `reads text sent with a server key`: the text of a token with this lowest trust. */
export function describeReadText(lowestTrust: Trust): string {
  const levels = TRUST_LEVELS.filter((level) => isAtLeast(level, lowestTrust));
  if (levels.length === TRUST_LEVELS.length) return "reads all text";
  return `reads text sent ${levels.map((one) => SENT_HOW[one]).join(" or ")}`;
}

/** The select `lowestTrust`, with its note, which has the `id`. */
export function TrustSelect({ id }: { readonly id: string }) {
  return (
    <>
      <label>
        <span>Text of reports</span>
        <select name="lowestTrust" defaultValue="server" aria-describedby={id}>
          {TRUST_LEVELS.map((level) => (
            <option key={level} value={level}>
              {TRUST_LABELS[level]}
            </option>
          ))}
        </select>
      </label>
      <p className="muted" id={id}>
        Anyone can send text with a public key, and an agent may follow instructions in it. See{" "}
        <a href="/docs/api#text-of-reports">text of reports</a>.
      </p>
    </>
  );
}
