// The pages whose cost could grow with the stored data.

import { createWord } from "../reports/names.ts";
import { createSpreadId } from "../reports/spread-events.ts";

export interface Page {
  name: string;
  path: string;
  /** True if the page is requested as HTML; by default it is requested as JSON. */
  isHtml?: boolean;
}

/** The data that paths need. */
interface PageInput {
  reports: number;
  issues: number;
  share: number;
  /** The digests, that of the issue with the most reports first. */
  digests: readonly string[];
}

/** The pages of a project with these reports. */
export function listPages({ reports, issues, share, digests }: PageInput): Page[] {
  const filter = (name: string, parameters: Record<string, string>) => ({
    name: `/issues ${name}`,
    path: `/issues?${new URLSearchParams(parameters)}`,
  });
  const lookUp = (name: string, q: string) => ({
    name: `/lookup ${name}`,
    path: `/lookup?${new URLSearchParams({ q })}`,
  });
  const [big = ""] = digests;
  const various = digests[Math.floor(digests.length / 2)] ?? big;
  const word = createWord(Math.floor(issues / 3));
  const listBoth = (name: string, path: string) => [
    { name: `${name} html`, path, isHtml: true },
    { name: `${name} json`, path },
  ];
  return [
    ...listBoth("/", "/"),
    ...listBoth("/issues", "/issues"),
    filter("q=common word", { q: "order" }),
    filter("q=rare word", { q: word }),
    filter("q=two words", { q: `${word} order` }),
    filter("tag exact", { q: 'tier:"gold"' }),
    filter("tag contains", { q: "tier:gol" }),
    filter("release contains", { q: "release:2.1" }),
    filter("not tag", { q: "-tier:gold" }),
    filter("sort=count", { sort: "count" }),
    filter("sort=people", { sort: "users" }),
    { ...filter("html tag", { q: 'tier:"gold"' }), isHtml: true },
    { ...filter("html common word", { q: "order" }), isHtml: true },
    { name: "/d big html", path: `/d/${big}`, isHtml: true },
    ...listBoth("/d", `/d/${various}`),
    lookUp("digest", various),
    lookUp("id newest", createSpreadId(reports - 1, share)),
    lookUp("id oldest", createSpreadId(0, share)),
    lookUp("id unknown", "0123456789abcdef0123456789abcdef"),
    lookUp("rare word", word),
    lookUp("common word", "order"),
    lookUp("URL", "https://shop.example/shop/aisle-7"),
    ...listBoth("/releases", "/releases"),
    ...listBoth("/csp", "/csp"),
    ...listBoth("/status", "/status"),
    { name: "/live json", path: "/live" },
  ];
}
