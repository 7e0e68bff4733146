/**
 * A form of a receipt with one field: what the visitor may enter, why it was not taken, or that it
 * was. Works without scripts; the result replaces the form.
 */
import type { ReactNode } from "react";
import type { VisitorTexts } from "../../core/visitors/languages/visitor-texts.ts";
import { DeskForm } from "../parts/desk-context.tsx";

/** What connects the field with its label, its hint and its error. */
interface FieldProps {
  readonly id: string;
  readonly required: true;
  readonly "aria-describedby": string;
  readonly "aria-invalid": true | undefined;
}

interface ReceiptFormProps {
  /** The id of the field. */
  readonly id: string;
  /** The URL that takes the form. */
  readonly action: string;
  readonly label: string;
  readonly hint: string;
  /** Why the visitor has to try again. */
  readonly error?: string | undefined;
  /** The message that replaces the form after it was taken. */
  readonly done?: string | undefined;
  readonly texts: VisitorTexts;
  readonly renderField: (props: FieldProps) => ReactNode;
}

export function ReceiptForm(props: ReceiptFormProps) {
  const { id, action, label, hint, error, done, texts, renderField } = props;
  if (done !== undefined) {
    return (
      <p className="comment-sent" role="status">
        {done}
      </p>
    );
  }
  const [hintId, problemId] = [`${id}-hint`, `${id}-problem`];
  return (
    <DeskForm className="comment" method="post" action={action}>
      <label htmlFor={id}>{label}</label>
      <p id={hintId} className="muted">
        {hint}
      </p>
      {renderField({
        ...{ id, required: true },
        "aria-describedby": error === undefined ? hintId : `${problemId} ${hintId}`,
        "aria-invalid": error === undefined ? undefined : true,
      })}
      {error !== undefined && (
        <p id={problemId} className="field-error" role="alert">
          {error}
        </p>
      )}
      <button type="submit">{texts.send}</button>
    </DeskForm>
  );
}
