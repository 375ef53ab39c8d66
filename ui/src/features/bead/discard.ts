/** Ends the edit of a field without saving. If the text was changed, a toast offers to restore it. */
import type { App } from "../../state/app.svelte";
import { isChanged, type BeadForm } from "../../state/bead-form.svelte";
import { FIELD_NAMES, type FieldName } from "../../words/bead-fields";

export function discard(app: App, form: BeadForm, field: FieldName): void {
  const draft = form.discard(field);
  if (!draft || !isChanged(draft)) return;
  app.toasts.done(
    `${FIELD_NAMES[field]} not changed`,
    { label: "Restore text", run: () => form.restore(draft) },
    "discarded",
  );
}
