/** The field `name` of a form. */

/** The field. Its label is `label`; with `isLabelHidden` only screen readers get it. */
export function NameField({
  id,
  label = "Name",
  isLabelHidden = false,
  required = true,
  maxLength,
  defaultValue,
  placeholder,
  autoComplete = "off",
}: {
  id?: string;
  label?: string;
  isLabelHidden?: boolean;
  required?: boolean;
  maxLength?: number | undefined;
  defaultValue?: string | undefined;
  placeholder?: string;
  autoComplete?: "name" | "off";
}) {
  return (
    <label>
      <span className={isLabelHidden ? "visually-hidden" : undefined}>{label}</span>
      <input
        id={id}
        name="name"
        type="text"
        required={required}
        maxLength={maxLength}
        defaultValue={defaultValue}
        placeholder={placeholder}
        autoComplete={autoComplete}
        dir="auto"
      />
    </label>
  );
}
