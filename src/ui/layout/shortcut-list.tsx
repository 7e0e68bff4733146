/**
 * The keys of the desk, behind a button of the foot and the `?` key. The page's script adds those of the page, which stand in
 * `data-shortcut`; without scripts there are no keys, and the style sheet shows no button.
 */

/** Each key as it is printed on a keyboard. `list` marks those that only a list of issues has. */
const SHORTCUTS: readonly {
  readonly keys: readonly string[];
  readonly description: string;
  readonly isListOnly?: true;
}[] = [
  { keys: ["/"], description: "Search the issues" },
  { keys: ["Ctrl", "K"], description: "Look up a code" },
  { keys: ["j", "k"], description: "Next and previous issue", isListOnly: true },
  { keys: ["x"], description: "Select the issue", isListOnly: true },
  { keys: ["Enter"], description: "Open the issue", isListOnly: true },
  { keys: ["?"], description: "These keys" },
];

/** The button and the list that it opens. */
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
        <h2 id="shortcuts-heading">Keyboard</h2>
        <dl>
          {SHORTCUTS.map(({ keys, description, isListOnly }) => (
            <div key={description} data-list-only={isListOnly ? "" : undefined}>
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
