/** The field `name` of a form. */

/** The field. Its label is `label`; with `isLabelHidden` only screen readers get it. */
export function NameField({
  id,
  label = "Name",
  isLabelHidden = false,
  maxLength,
  defaultValue,
  placeholder,
  autoComplete = "off",
}: {
  id?: string;
  label?: string;
  isLabelHidden?: boolean;
  maxLength: number;
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
        required
        maxLength={maxLength}
        defaultValue={defaultValue}
        placeholder={placeholder}
        autoComplete={autoComplete}
        dir="auto"
      />
    </label>
  );
}
