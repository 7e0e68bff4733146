/** The link to sign in again, in place of a form that needs a recent sign-in. */

/** `purpose` completes "To …, sign in again." The sign-in page returns to the profile. */
export function SignInAgain({ purpose }: { purpose: string }) {
  return (
    <p>
      To {purpose}, <a href="/sign-in?again=1&returnTo=%2Fprofile">sign in again</a>.
    </p>
  );
}
