/**
 * The keyboard shortcuts of the desk, opened by a button in the footer or the `?` key. The client
 * script adds the shortcuts of the page (`data-shortcut`). Without scripts the style sheet hides
 * the button.
 */

/** Each key as printed on a keyboard. `place` is the kind of list that has it. */
const SHORTCUTS: readonly {
  readonly keys: readonly string[];
  readonly description: string;
  readonly place?: "list" | "selectable";
}[] = [
  { keys: ["/"], description: "Search issues" },
  { keys: ["Ctrl", "K"], description: "Command palette" },
  { keys: ["j", "k"], description: "Next and previous row", place: "list" },
  { keys: ["x"], description: "Select issue", place: "selectable" },
  { keys: ["X"], description: "Select all issues up to this one", place: "selectable" },
  { keys: ["J", "K"], description: "Move and select", place: "selectable" },
  { keys: ["Enter"], description: "Open row", place: "list" },
  { keys: ["?"], description: "Show this list" },
];

/** The button and the list of shortcuts. */
export function ShortcutList() {
  return (
    <>
      <button type="button" className="text-button open-shortcuts" popoverTarget="shortcuts">
        Keyboard
      </button>
      <div
        id="shortcuts"
        className="shortcuts"
        popover="auto"
        role="dialog"
        aria-labelledby="shortcuts-heading"
      >
        <h2 id="shortcuts-heading">Keyboard shortcuts</h2>
        <dl>
          {SHORTCUTS.map(({ keys, description, place }) => (
            <div key={description} data-place={place}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{description}</dd>
            </div>
          ))}
        </dl>
        <button type="button" popoverTarget="shortcuts" popoverTargetAction="hide">
          Close
        </button>
      </div>
    </>
  );
}
