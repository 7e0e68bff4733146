/** Why something was not done that a form had asked for. */

/** The sentence, told to screen readers at once; nothing where there is none. */
export function Problem({ says }: { readonly says: string | undefined }) {
  if (says === undefined) return null;
  return (
    <p className="problem-box" role="alert">
      {says}
    </p>
  );
}
