/**
 * The keys of the desk, behind a button of the foot and the `?` key. The page's script adds those of the page, which stand in
 * `data-key`; without scripts there are no keys, and the style sheet shows no button.
 */

/** Each key as it is printed on a keyboard. `list` marks those that only a list of issues has. */
const KEYS: readonly {
  readonly keys: readonly string[];
  readonly what: string;
  readonly list?: true;
}[] = [
  { keys: ["/"], what: "Search the issues" },
  { keys: ["Ctrl", "K"], what: "Look up a code" },
  { keys: ["j", "k"], what: "Next and previous issue", list: true },
  { keys: ["x"], what: "Select the issue", list: true },
  { keys: ["Enter"], what: "Open the issue", list: true },
  { keys: ["?"], what: "These keys" },
];

/** The button and the list that it opens. */
export function KeyList() {
  return (
    <>
      <button type="button" className="text-button open-keys" popoverTarget="shortcuts">
        Keyboard
      </button>
      <div
        id="shortcuts"
        className="keys"
        popover="auto"
        role="dialog"
        aria-labelledby="shortcuts-head"
      >
        <h2 id="shortcuts-head">Keyboard</h2>
        <dl>
          {KEYS.map(({ keys, what, list }) => (
            <div key={what} data-list={list ? "" : undefined}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
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
