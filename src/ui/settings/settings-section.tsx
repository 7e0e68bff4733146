/** The sections of settings pages: the heading on one side, the content on the other. */
import type { ReactNode } from "react";

/** A section. `id` is the id of its heading, to which forms return. */
export function SettingsSection({
  id,
  name,
  description,
  children,
}: {
  id: string;
  name: string;
  description: ReactNode;
  children: ReactNode;
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

/** An action: its name, its description and its form. */
export function ActionCard({
  name,
  description,
  children,
}: {
  name: string;
  description: ReactNode;
  children: ReactNode;
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
