/** The shop of the sample data: it sells tea at an address that nobody can own, and has broken in a dozen ways. */

/** Where it stands (RFC 2606: `.example` belongs to nobody). */
export const SHOP_ORIGIN = "https://tea.example";

/** The Next.js digest that visitors of the checkout were shown. */
export const NOTICE_DIGEST = "4183920571";

/** When each release went live, in days before the present. */
export const SHOP_RELEASES = [
  { name: "shop@2.2.0", sinceDays: 14 },
  { name: "shop@2.3.0", sinceDays: 9 },
  { name: "shop@2.4.0", sinceDays: 3 },
] as const;

/** Visitors' browsers, as they name themselves. */
export const SAMPLE_USER_AGENTS = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15",
  "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
] as const;

/** A frame as people write it down: what was called, where, and the line. */
export type ShopFrame = readonly [
  called: string,
  file: string,
  line: number,
  column: number,
  source?: string,
];

/** One way in which the shop breaks. */
export interface SampleError {
  readonly name: string;
  readonly side: "server" | "browser";
  readonly type: string;
  readonly message: string;
  /** The pattern of the route, and paths that match it. */
  readonly route: string;
  readonly paths: readonly string[];
  readonly method?: "GET" | "POST";
  /** The one that threw first. */
  readonly frames: readonly ShopFrame[];
  readonly cause?: { readonly type: string; readonly message: string };
  readonly componentStack?: string;
  /** Logged on purpose, not thrown. */
  readonly isMessage?: true;
  readonly level?: "error" | "warning";
  /** The browsers that it happens in, as places in `USER_AGENTS`; by default all. */
  readonly userAgentIndexes?: readonly number[];
  /** The plans of the customers whom it meets. */
  readonly plans?: readonly string[];
  /** How often, and between how many days and how many days ago. */
  readonly eventCount: number;
  readonly fromDays: number;
  readonly toDays: number;
}

/** A line between the application and its framework. */
export const NEXT_FRAMES: readonly ShopFrame[] = [
  [
    "renderElement",
    "node_modules/next/dist/compiled/next-server/app-page.runtime.prod.js",
    2,
    91034,
  ],
  [
    "renderWithHooks",
    "node_modules/next/dist/compiled/next-server/app-page.runtime.prod.js",
    2,
    84521,
  ],
];
