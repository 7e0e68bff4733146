/** A digest as the thing it is: a code that is read out, set in wide monospace, ready to be copied. */
import { CopyButton } from "./copy-button.tsx";

/** The digest, large, with its copy button. */
export function DigestCode({ digest }: { readonly digest: string }) {
  return (
    <span className="digest-code">
      <code className="digest">{digest}</code> <CopyButton text={digest} what="digest" />
    </span>
  );
}
