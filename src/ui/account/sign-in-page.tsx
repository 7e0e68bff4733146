/** The page at `/sign-in`: with a passkey, which needs a script, or with a code. */
import type { Role } from "../../core/accounts/registry.ts";
import { limits } from "../../core/limits.ts";
import { SIGN_IN_PATH } from "../../core/scrubbing/own-secrets.ts";
import { FormError } from "../parts/form-error.tsx";
import { PasskeyPrompt } from "./needs-script.tsx";

/** Who invites to what. */
export interface InvitationFacts {
  /** Empty under local access. */
  readonly by: string;
  readonly project: string;
  readonly role: Role;
}

interface SignInPageProps {
  /** The path to open after signing in. */
  readonly returnTo: string;
  /** The name of a person who is already signed in and may accept an invitation. */
  readonly name?: string | undefined;
  /** True if this person signs in again, to prove the identity. */
  readonly isAgain: boolean;
  /** The invitation of the code that was sent. */
  readonly invitation?: InvitationFacts | undefined;
  /** Why the sign-in was rejected. */
  readonly error?:
    | {
        readonly reason: string;
        readonly detail: string;
        /** The valid code that was sent with an invalid name. */
        readonly code?: string;
      }
    | undefined;
}

/** Messages by reason, in place of the detail of the JSON response. */
const ERROR_MESSAGES: Readonly<Record<string, string>> = {
  "bad-code":
    "Invalid code. It may have expired or already been used. Ask for a new invitation, or restart or redeploy to get a new setup link.",
  "name-missing": `Enter your name, as the other members will see it: up to ${limits.maxPersonNameChars} visible characters.`,
  "name-taken":
    "Another member already uses this name. Enter a different name, or rename yourself on your profile first.",
  "too-many-requests": "Too many attempts from your network. Try again in a minute.",
};

export function SignInPage({ returnTo, name, isAgain, invitation, error }: SignInPageProps) {
  const isSigningIn = name === undefined || isAgain;
  return (
    <div className="card-page">
      <section
        className="card sign-in"
        aria-labelledby="sign-in"
        data-invited={error?.code === undefined ? undefined : ""}
      >
        <h1 id="sign-in" className="without-link">
          {name === undefined ? "Sign in" : isAgain ? "Sign in again" : "You are signed in"}
        </h1>
        <InvitationText invitation={invitation} />
        <p className="with-link welcome">
          Welcome<span className="returning"> back</span>.
          <span className="new-person"> What is your name?</span>
        </p>
        <FormError
          id="sign-in-error"
          message={error && (ERROR_MESSAGES[error.reason] ?? error.detail)}
        />
        {isSigningIn ? (
          <PasskeySignIn returnTo={returnTo} />
        ) : (
          <AlreadySignedIn returnTo={returnTo} name={name} />
        )}
        <CodeForm
          returnTo={returnTo}
          isNew={name === undefined}
          isAgain={isAgain}
          code={error?.code}
          isRejected={error !== undefined}
        />
      </section>
    </div>
  );
}

/**
 * `Ada invites you to Shop as a member.` The client script fills it in for the code of a link, which
 * the server does not see.
 */
function InvitationText({ invitation }: { invitation: InvitationFacts | undefined }) {
  const { by = "", project = "", role = "member" } = invitation ?? {};
  return (
    <p
      className="invitation"
      data-invitation-url={`${SIGN_IN_PATH}/invitation`}
      hidden={invitation === undefined}
    >
      <b>
        <bdi>{by || UNNAMED_INVITER}</bdi>
      </b>{" "}
      invites you to{" "}
      <b>
        <bdi>{project}</bdi>
      </b>{" "}
      as <span>{ROLE_WORDS[role]}</span>.
    </p>
  );
}

/** The inviter under local access, who has no name. */
const UNNAMED_INVITER = "The owner";

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  viewer: "a viewer",
  member: "a member",
  owner: "an owner",
};

function PasskeySignIn({ returnTo }: { returnTo: string }) {
  return (
    <PasskeyPrompt
      optionsUrl={`${SIGN_IN_PATH}/options`}
      responseUrl={`${SIGN_IN_PATH}/passkey`}
      returnTo={returnTo}
      noScriptText="Passkeys need JavaScript, which is not running on this page. Sign in with a code instead."
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
      Signed in as <bdi>{name}</bdi>. <a href={returnTo}>Open Errata</a>, or enter an invitation
      code to join another project.
    </p>
  );
}

function CodeForm({
  returnTo,
  isNew,
  isAgain,
  code,
  isRejected,
}: {
  returnTo: string;
  isNew: boolean;
  isAgain: boolean;
  /** The valid code that was sent with an invalid name. */
  code: string | undefined;
  isRejected: boolean;
}) {
  const isCodeRejected = isRejected && code === undefined;
  return (
    <form
      method="post"
      action={`${SIGN_IN_PATH}?${isAgain ? "again=1&" : ""}returnTo=${encodeURIComponent(returnTo)}`}
      className="form-stack"
    >
      <h2 className="without-link">Sign in with a code</h2>
      <label htmlFor="code" className="without-link">
        <span>Code from a setup link, an invitation or your recovery codes</span>
      </label>
      <input
        id="code"
        className="without-link"
        name="code"
        type="text"
        defaultValue={code}
        required
        maxLength={limits.maxCredentialChars}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        aria-invalid={isCodeRejected || undefined}
        aria-describedby={isCodeRejected ? "sign-in-error" : undefined}
        // biome-ignore lint/a11y/noAutofocus: the field to correct
        autoFocus={isCodeRejected}
      />
      {isNew && (
        <>
          <label htmlFor="your-name" className="new-person">
            <span>
              Your name<span className="without-link">, if you are new</span>
            </span>
          </label>
          <input
            id="your-name"
            className="new-person"
            name="name"
            type="text"
            maxLength={limits.maxPersonNameChars}
            autoComplete="name"
            dir="auto"
            aria-invalid={code === undefined ? undefined : true}
            aria-describedby={code === undefined ? undefined : "sign-in-error"}
            // biome-ignore lint/a11y/noAutofocus: the field to correct
            autoFocus={code !== undefined}
          />
        </>
      )}
      <button type="submit">
        <span>
          Sign in
          <span className="returning">
            {" as "}
            <bdi />
          </span>
        </span>
      </button>
    </form>
  );
}
