/** The icons of the bar at the bottom of phones. Elsewhere the style sheet hides them. */

const PATHS = {
  issues: "M2 4h.01M2 8h.01M2 12h.01M5 4h9M5 8h9M5 12h9",
  releases: "M2.5 2.5h5.5l5.5 5.5-5.5 5.5L2.5 8zM5.25 5.25h.01",
  live: "M1.5 8.5h3l1.75-5 3 9.5 2-4.5h3.25",
  inbox: "M2 9.5 4 3h8l2 6.5V13H2zM2 9.5h3.5l1 1.5h3l1-1.5H14",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5 14 14",
} as const;

/** The icons that there are. */
export type NavIconName = keyof typeof PATHS;

export function NavIcon({ name }: { name: NavIconName }) {
  return (
    <svg className="nav-icon" viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.25"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
