/** A part of a page of settings: what it is about at one side, and what there is and can be done at the other. */
import type { ReactNode } from "react";

/** The section; `id` is that of its heading, to which forms lead back. */
export function SettingsSection({
  id,
  name,
  description,
  children,
}: {
  readonly id: string;
  readonly name: string;
  readonly description: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="settings-section" aria-labelledby={id}>
      <header>
        <h2 id={id}>{name}</h2>
        <p className="muted">{description}</p>
      </header>
      <div className="settings-body">{children}</div>
    </section>
  );
}

/** One thing that can be done: what it does and leaves, and its form. */
export function ActionCard({
  name,
  description,
  children,
}: {
  readonly name: string;
  readonly description: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className="action-card">
      <div>
        <h3>{name}</h3>
        <p className="muted">{description}</p>
      </div>
      <div className="form-stack">{children}</div>
    </div>
  );
}
