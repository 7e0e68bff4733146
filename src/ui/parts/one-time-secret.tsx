/** Secrets that are shown once, because only their hash is stored. */
import type { ReactNode } from "react";
import type { RegistryChangeName } from "../../core/accounts/registry-changes.ts";
import { CopyLine } from "./copy-line.tsx";

/** The secrets that a change has just created: invitation codes, server keys, API tokens. */
export interface IssuedSecrets {
  readonly change: RegistryChangeName;
  readonly secrets: readonly string[];
}

/** A secret to copy now. */
export function OneTimeSecret({
  name,
  hint,
  text,
  copyLabel,
  children,
}: {
  readonly name: string;
  readonly hint: ReactNode;
  readonly text: string;
  /** The name of the text for screen readers. */
  readonly copyLabel: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="one-time-secret">
      <h3>{name}</h3>
      <p>{hint}</p>
      <CopyLine text={text} copyLabel={copyLabel} />
      {children}
    </div>
  );
}
