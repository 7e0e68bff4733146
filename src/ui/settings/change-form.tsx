/** Forms that make a change of the registry. Role and constraints are those of its declaration. */
import type { ComponentProps, ReactNode } from "react";
import {
  getRegistryChange,
  type RegistryChangeName,
} from "../../core/accounts/registry-changes.ts";
import { getFieldConstraints } from "../../core/schema/form.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { NameField } from "./name-field.tsx";

/**
 * The form of a change, on the page of a project's settings or of the own profile. The page shows
 * `section` afterwards.
 */
export function ChangeForm({
  change,
  section,
  className,
  children,
}: {
  change: RegistryChangeName;
  section?: string;
  className?: string;
  children?: ReactNode;
}) {
  const { role } = getRegistryChange(change);
  const page = role === "person" ? "/profile" : "/settings";
  return (
    <DeskForm
      requiredRole={role === "owner" ? role : undefined}
      method="post"
      action={section === undefined ? page : `${page}#${section}`}
      className={className}
    >
      <input type="hidden" name="do" value={change} />
      {children}
    </DeskForm>
  );
}

/** The field `name` of a change. */
export function ChangeNameField({
  change,
  ...props
}: { change: RegistryChangeName } & Omit<ComponentProps<typeof NameField>, "maxLength">) {
  const { input } = getRegistryChange(change);
  return <NameField {...props} {...(input && getFieldConstraints(input, "name"))} />;
}
