/** Why something was not done that a form had asked for. */

/** The sentence, told to screen readers at once; nothing where there is none. */
export function FormError({ message }: { readonly message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <p className="form-error" role="alert">
      {message}
    </p>
  );
}
