/** The error of a form, announced to screen readers; nothing if `message` is undefined. */
export function FormError({ id, message }: { id?: string; message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <p id={id} className="form-error" role="alert">
      {message}
    </p>
  );
}
