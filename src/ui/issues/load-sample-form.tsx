/** The button that loads the sample data, for the setup page and for empty lists. */
import { DeskForm } from "../parts/desk-context.tsx";

/** The form; only owners see it. */
export function LoadSampleForm() {
  return (
    <DeskForm requiredRole="owner" className="sample" method="post" action="/sample">
      <button type="submit">Load sample data</button>
    </DeskForm>
  );
}
