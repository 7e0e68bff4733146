/** The sample shop: it sells tea and has a dozen errors. */

/** Its origin (RFC 2606: `.example` is reserved). */
export const SHOP_ORIGIN = "https://tea.example";

/** The Next.js digest that visitors of the checkout saw. */
export const NOTICE_DIGEST = "4183920571";

/** When each release was deployed, in days before now. */
export const SHOP_RELEASES = [
  { name: "shop@2.2.0", sinceDays: 14 },
  { name: "shop@2.3.0", sinceDays: 9 },
  { name: "shop@2.4.0", sinceDays: 3 },
] as const;

/** `User-Agent` headers of visitors. */
export const SAMPLE_USER_AGENTS = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15",
  "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
] as const;

/** A short form of a stack frame: function, file, line, column, source line. */
export type ShopFrame = readonly [
  called: string,
  file: string,
  line: number,
  column: number,
  source?: string,
];

export interface SampleError {
  readonly name: string;
  readonly side: "server" | "browser";
  readonly type: string;
  readonly message: string;
  /** The route pattern, and paths that match it. */
  readonly route: string;
  readonly paths: readonly string[];
  readonly method?: "GET" | "POST";
  /** Throwing frame first. */
  readonly frames: readonly ShopFrame[];
  readonly cause?: { readonly type: string; readonly message: string };
  readonly componentStack?: string;
  /** Logged on purpose, not thrown. */
  readonly isMessage?: true;
  readonly level?: "error" | "warning";
  /** Indexes of `SAMPLE_USER_AGENTS` in which it occurs; by default all. */
  readonly userAgentIndexes?: readonly number[];
  /** Plans of the affected customers. */
  readonly plans?: readonly string[];
  /** Number of events, spread between `fromDays` and `toDays` ago. */
  readonly eventCount: number;
  readonly fromDays: number;
  readonly toDays: number;
}

/** Frames of the framework below the application. */
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
