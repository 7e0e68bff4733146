/** The error of a form, announced to screen readers; nothing if `message` is undefined. */
export function FormError({ message }: { readonly message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <p className="form-error" role="alert">
      {message}
    </p>
  );
}
