/** Where people come in: by a passkey, which needs a script, or by a code, which does not. */
import { limits } from "../../core/limits.ts";
import { FormError } from "../parts/form-error.tsx";
import { PasskeyPrompt } from "./needs-script.tsx";

/** What the page is made of. */
export interface SignInPageProps {
  /** The path that it leads to. */
  readonly returnTo: string;
  /** Who has entered already; an invitation makes him a member of another project. */
  readonly name?: string | undefined;
  /** Why somebody was not let in. */
  readonly error?: { readonly reason: string; readonly detail: string } | undefined;
}

/** What people read in the place of what programs do. */
const ERROR_MESSAGES: Readonly<Record<string, string>> = {
  "bad-code":
    "This code opens nothing: it was used, has ended, or was not copied whole. Whoever invited you can make another one; a new start or deployment prints another link.",
  "too-many-requests": "Too many tries from where you are. Wait a minute, then try again.",
};

/** The page at `/sign-in`. */
export function SignInPage({ returnTo, name, error }: SignInPageProps) {
  return (
    <div className="card-page">
      <section className="card sign-in" aria-labelledby="sign-in">
        <h1 id="sign-in">{name === undefined ? "Sign in" : "You are signed in"}</h1>
        <FormError message={error && (ERROR_MESSAGES[error.reason] ?? error.detail)} />
        {name === undefined ? (
          <PasskeySignIn returnTo={returnTo} />
        ) : (
          <AlreadySignedIn returnTo={returnTo} name={name} />
        )}
        <CodeForm returnTo={returnTo} isNew={name === undefined} />
      </section>
    </div>
  );
}

function PasskeySignIn({ returnTo }: { returnTo: string }) {
  return (
    <PasskeyPrompt
      optionsUrl="/sign-in/options"
      responseUrl="/sign-in/passkey"
      returnTo={returnTo}
      noScriptText="A passkey needs a script, which does not run here. A code lets you in without one."
    >
      <button type="button" className="main-button">
        Sign in with a passkey
      </button>
    </PasskeyPrompt>
  );
}

function AlreadySignedIn({ returnTo, name }: { returnTo: string; name: string }) {
  return (
    <p>
      As <bdi>{name}</bdi>. <a href={returnTo}>To the desk</a>, or take an invitation to another
      project: you stay who you are.
    </p>
  );
}

function CodeForm({ returnTo, isNew }: { returnTo: string; isNew: boolean }) {
  return (
    <form
      method="post"
      action={`/sign-in?returnTo=${encodeURIComponent(returnTo)}`}
      className="form-stack"
    >
      <h2>With a code</h2>
      <label htmlFor="code">
        <span>From your link or invitation, or one of your recovery codes</span>
      </label>
      <input
        id="code"
        name="code"
        type="text"
        required
        maxLength={limits.maxCredentialChars}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
      />
      {isNew && (
        <>
          <label htmlFor="your-name">
            <span>Your name, if you are new here: others see it beside what you do</span>
          </label>
          <input
            id="your-name"
            name="name"
            type="text"
            maxLength={limits.maxPersonNameChars}
            autoComplete="name"
            dir="auto"
          />
        </>
      )}
      <button type="submit">Enter</button>
    </form>
  );
}
