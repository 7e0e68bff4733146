/** The pages of the device flow: the code is typed, and the decision is made. */
import { FormError } from "../parts/form-error.tsx";

/** Asks for the code that the other device shows. */
export function UserCodePage({
  code,
  error,
}: {
  readonly code: string;
  readonly error: string | undefined;
}) {
  return (
    <div className="card-page">
      <section className="card consent" aria-labelledby="device">
        <h1 id="device">Connect a device</h1>
        <p>
          Run <code>errata login</code> in a terminal, and type the code that it shows.
        </p>
        <FormError id="device-error" message={error} />
        <form method="get" action="/device" className="form-stack">
          <label>
            <span>Code</span>
            <input
              className="user-code"
              name="user_code"
              type="text"
              required
              maxLength={20}
              defaultValue={code}
              placeholder="WDJB-MJHT"
              autoComplete="off"
              autoCapitalize="characters"
              autoCorrect="off"
              spellCheck={false}
              aria-invalid={error === undefined ? undefined : true}
              aria-describedby={error === undefined ? undefined : "device-error"}
            />
          </label>
          <button type="submit" className="main-button">
            Continue
          </button>
        </form>
      </section>
    </div>
  );
}

/** What the person decided. */
export function DecidedPage({
  isAllowed,
  name,
}: {
  readonly isAllowed: boolean;
  readonly name: string;
}) {
  return (
    <div className="card-page">
      <section className="card">
        <h1>{isAllowed ? "Connected" : "Denied"}</h1>
        <p>
          {isAllowed ? (
            <>
              <bdi>{name}</bdi> has access. Return to your terminal. You can disconnect it on{" "}
              <a href="/profile#programs">your profile</a>.
            </>
          ) : (
            <>
              <bdi>{name}</bdi> gets no access.
            </>
          )}
        </p>
      </section>
    </div>
  );
}
