/** The page that the link of a confirmation mail opens. Its visitor need not be a member. */
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import { DAY_MS } from "../../core/utc-time.ts";

/** `link` fills the form, which a program that only follows links does not send. */
export function ConfirmEmailPage({
  state,
  link,
}: {
  readonly state: "asked" | "confirmed" | "invalid";
  readonly link: { readonly address: string; readonly until: string; readonly signature: string };
}) {
  if (state === "invalid")
    return (
      <article className="prose">
        <h1>This link no longer works</h1>
        <p>
          Links expire after {alertLimits.confirmationMs / DAY_MS} days. To get a new one, ask a
          member to send a test.
        </p>
      </article>
    );
  if (state === "confirmed")
    return (
      <article className="prose">
        <h1>Address confirmed</h1>
        <p>
          <bdi>{link.address}</bdi> receives alerts from now on.
        </p>
      </article>
    );
  return (
    <article className="prose">
      <h1>Receive alerts at this address?</h1>
      <p>
        <bdi>{link.address}</bdi>
      </p>
      <form method="post" className="form-row-inline">
        {Object.entries(link).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button type="submit">Confirm</button>
      </form>
    </article>
  );
}
