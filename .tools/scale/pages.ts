// The pages whose cost could grow with the stored data.

import { createSpreadId } from "../reports/events.ts";
import { createWord } from "../reports/names.ts";

/** The data that paths need. The issue with the most reports is the first digest. */
interface Project {
  reports: number;
  issues: number;
  share: number;
  digests: readonly string[];
}

/** The paths of the pages by name. A name ends with the format. */
export function listPages({ reports, issues, share, digests }: Project): Map<string, string> {
  const [big = ""] = digests;
  const various = digests[Math.floor(digests.length / 2)] ?? big;
  const word = createWord(Math.floor(issues / 3));
  const list = (parameters: Record<string, string>) => `/issues?${new URLSearchParams(parameters)}`;
  const lookUp = (q: string) => `/lookup?${new URLSearchParams({ q })}`;
  const both = ["/", "/issues", "/releases", "/csp", "/status"].flatMap((path) => [
    [`${path} html`, path] as const,
    [`${path} json`, path] as const,
  ]);
  return new Map([
    ...both,
    ["/issues q=common word json", list({ q: "order" })],
    ["/issues q=common word html", list({ q: "order" })],
    ["/issues q=rare word json", list({ q: word })],
    ["/issues q=two words json", list({ q: `${word} order` })],
    ["/issues tag exact json", list({ q: 'tier:"gold"' })],
    ["/issues tag exact html", list({ q: 'tier:"gold"' })],
    ["/issues tag contains json", list({ q: "tier:gol" })],
    ["/issues release contains json", list({ q: "release:2.1" })],
    ["/issues not tag json", list({ q: "-tier:gold" })],
    ["/issues sort=count json", list({ sort: "count" })],
    ["/issues sort=people json", list({ sort: "users" })],
    ["/d big html", `/d/${big}`],
    ["/d html", `/d/${various}`],
    ["/d json", `/d/${various}`],
    ["/lookup digest json", lookUp(various)],
    ["/lookup id newest json", lookUp(createSpreadId(reports - 1, share))],
    ["/lookup id oldest json", lookUp(createSpreadId(0, share))],
    ["/lookup id unknown json", lookUp("0123456789abcdef0123456789abcdef")],
    ["/lookup rare word json", lookUp(word)],
    ["/lookup common word json", lookUp("order")],
    ["/lookup URL json", lookUp("https://shop.example/shop/aisle-7")],
    ["/live json", "/live"],
  ]);
}
