/** The link to sign in again, in place of a form that needs a recent sign-in. */
import { SIGN_IN_PATH } from "../../core/scrubbing/own-secrets.ts";

/** `purpose` completes "To …, sign in again." The sign-in page returns to the profile. */
export function SignInAgain({ purpose }: { purpose: string }) {
  return (
    <p>
      To {purpose}, <a href={`${SIGN_IN_PATH}?again=1&returnTo=%2Fprofile`}>sign in again</a>.
    </p>
  );
}
