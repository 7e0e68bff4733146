/** The jobs of the desk in Firefox and WebKit, on the built product, by real keys and clicks. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeLink } from "../../../.tools/deploy/sign-in-link.ts";
import { serve } from "../../../.tools/local/serve.ts";
import { readNowMs } from "../../support/clock/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { findDrivenEngines } from "./drive-engines.ts";
import type { DrivenPage } from "./driven-page.ts";

const serverKey = `errata_server_${"fedcba9876543210".repeat(2)}`;
/** Words that grouping does not treat as variable parts. */
const TOPICS = ["cart", "voucher", "address", "currency", "parcel", "mail", "price", "stock"];
const PHONE_WIDTHS = [360, 390];

const engines = findDrivenEngines();

// A file without tests is a failure.
if (engines.length === 0) {
  it("neither Firefox nor WebKit can be driven on this machine", () => {
    expect(engines).toEqual([]);
  });
}

describe.each(engines)("the desk in $name", ({ open }) => {
  let served: Awaited<ReturnType<typeof serve>>;
  let url: string;
  let page: DrivenPage;

  beforeAll(async () => {
    const link = makeLink(readNowMs());
    served = await serve({ serverKey, vars: { ERRATA_SETUP: link.setup } });
    url = served.url.replace("127.0.0.1", "localhost");
    page = await open();
    await page.resize(1440, 900);
    await page.goto(link.at(url));
    await waitFor("document.activeElement?.name === 'name'");
    await page.type("Ada");
    await page.press("Enter");
    await waitFor("location.pathname === '/connect'");
  });
  afterAll(async () => {
    await page?.close();
    await served?.stop();
  });

  const waitFor = (condition: string) =>
    eventually(async () =>
      expect(await page.evaluate(`return ${condition}`), condition).toBe(true),
    );
  const read = <T>(expression: string) => page.evaluate<T>(`return ${expression}`);
  const readText = (selector: string) =>
    read<string>(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ""`);
  const visit = async (path: string) => {
    await page.goto(url + path);
    await waitFor(
      "document.readyState === 'complete' && !document.querySelector('main .skeleton')",
    );
  };
  const readRow = () => read<string>("document.activeElement?.id ?? ''");
  const readRows = () =>
    read<string[]>("[...document.querySelectorAll('.issue-row [data-row-link]')].map((a) => a.id)");

  /** One error per topic. Resolves to their digests, the newest last. */
  async function report(release: string, topics = TOPICS): Promise<readonly string[]> {
    const digests: string[] = [];
    for (const topic of topics) {
      const value = `no ${topic} in ${release}`;
      const body = JSON.stringify({
        ...{ errata: 1, how: "uncaught", type: "Error", message: value, release },
        user: { email: "ada@example.org" },
      });
      const response = await fetch(`${url}/monitoring`, {
        method: "POST",
        headers: { authorization: `Bearer ${serverKey}` },
        body,
      });
      digests.push(((await response.json()) as { digest: string }).digest);
    }
    return digests;
  }

  it("a test report from /connect is shown when it arrives", async () => {
    await visit("/connect");
    await page.click('form[action="/connect/test"] button');
    await waitFor("document.querySelector('#received .latest a') !== null");
    expect(await readText("#received")).toMatch(
      /Your first report has arrived|Reports are arriving/,
    );
  });

  it("a pasted code leads to the cause", async () => {
    const [digest = ""] = await report("paste@1", ["cart"]);
    await visit("/");
    await page.press("/");
    await waitFor("document.activeElement?.id === 'lookup-head'");
    await page.type(`it says ${digest.toLowerCase()}`);
    await page.press("Enter");
    await waitFor(`location.pathname === '/d/${digest}'`);
    await eventually(async () => expect(await readText("main")).toContain("no cart in paste@1"));
  });

  it("issues are triaged by keys alone: the next row has the focus after each decision", async () => {
    await report("triage@1");
    await visit('/issues?q=is:open+release:"triage@1"');
    const rows = await readRows();
    expect(rows).toHaveLength(TOPICS.length);
    await page.press("j", "j", "r");
    await eventually(async () => expect(await readRows()).not.toContain(rows[1]));
    expect(await readRow()).toBe(rows[2]);
    await page.press("e");
    await eventually(async () => expect(await readRows()).not.toContain(rows[2]));
    expect(await readRow()).toBe(rows[3]);
    await page.press("z");
    await eventually(async () => expect(await readRows()).toContain(rows[2]));
    await page.press("j", "X");
    await waitFor("document.querySelectorAll('[name=digest]:checked').length > 0");
  });

  it("the query field makes chips of what is chosen, and the snooze menu is at its row", async () => {
    await report("chips@1", ["price", "stock"]);
    await visit("/issues");
    await page.press("/");
    // A window without focus, as headless Firefox has, has no such event.
    await page.evaluate(
      "document.activeElement.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))",
    );
    await waitFor("document.activeElement.role === 'combobox'");
    await page.type("release:chips");
    await waitFor(
      "document.querySelector('.completion [role=option]')?.innerText.includes('chips@1') === true",
    );
    await page.press("ArrowDown", "Enter");
    await waitFor(
      "location.search.includes('chips%401') && document.querySelectorAll('.chip').length === 2",
    );
    await visit('/issues?q=is:open+release:"chips@1"');
    const [first = "", second = ""] = await readRows();
    await page.press("j", "s");
    await waitFor("document.activeElement.matches('.snooze-menu button')");
    const menu = ".snooze-menu:popover-open";
    const isNear = `(() => {
      const [menu, row] = [document.querySelector("${menu}"), document.querySelector("#${first}").closest("tr")]
        .map((one) => one.getBoundingClientRect());
      return Math.abs(menu.top - row.bottom) < 16 && menu.left < innerWidth / 2;
    })()`;
    // Without focus, the row has no buttons of its own, and the bar snoozes it.
    if (await read(`document.querySelector("#row-snooze-menu").matches(":popover-open")`))
      expect(await read(isNear)).toBe(true);
    await page.click(`${menu} button`);
    await eventually(async () => expect(await readRows()).toEqual([second]));
  });

  it("the key a opens the list of members, and one click assigns one", async () => {
    const [digest = ""] = await report("assign@1", ["voucher"]);
    await visit(`/d/${digest}`);
    await page.press("a");
    await waitFor("document.activeElement?.name === 'assign'");
    await page.click("#assign-menu [name=assign]");
    await eventually(async () => expect(await readText("main")).toMatch(/assigned to Ada/));
  });

  it("two issues are merged", async () => {
    const [one = "", other = ""] = await report("merge@1", ["parcel", "mail"]);
    await visit(`/d/${one}`);
    await page.click('[popovertarget="more-menu"]');
    await page.click('[popovertarget="merge-menu"]');
    await waitFor("document.activeElement?.name === 'merge'");
    await page.type(other);
    await page.press("Enter");
    await eventually(async () => expect(await readText("main")).toContain("Merged"));
    // A busy index answers from the snapshot of before for some seconds.
    await eventually(async () => {
      const merged = await page.evaluate<{ digest: string }>(
        `return (await fetch("/d/${other}.json")).json()`,
      );
      expect(merged.digest).toBe(one);
    });
  });

  it("erasing a person shows what it would erase first", async () => {
    await report("erase@1", ["stock"]);
    await visit("/settings/data");
    await page.click('[name="text"]');
    await page.type("no stock in erase@1");
    await page.press("Enter");
    await waitFor("location.pathname.startsWith('/erase/')");
    await eventually(async () => {
      await page.goto(await read<string>("location.href"));
      expect(await readText("main")).toMatch(/is in\s+1 of \d+ reports/);
    });
    expect(await readText("main")).toContain("Erase from 1 report");
  });

  it("the bar for selected issues and the theme switch are one line high", async () => {
    await visit("/issues");
    await page.press("j", "x");
    const bar = await page.evaluate<{ bar: number[]; text: number[] }>(`
      const place = (one) => { const { top, bottom } = one.getBoundingClientRect(); return [top, bottom]; };
      return { bar: place(document.querySelector(".bulk-bar")),
        text: place(document.querySelector("#selected-issues")) };`);
    expect(bar.text[0]).toBeGreaterThanOrEqual(bar.bar[0] ?? 0);
    expect(bar.text[1]).toBeLessThanOrEqual(bar.bar[1] ?? 0);
    await page.click('[popovertarget="account"]');
    const tops = await read<number[]>(
      "[...document.querySelectorAll('#account .theme :is(span, button)')].map((one) => Math.round(one.getBoundingClientRect().top + one.getBoundingClientRect().height / 2))",
    );
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(6);
  });

  it("the bar on a phone shows how many issues are selected", async () => {
    for (const release of ["count@1", "count@2"]) await report(release);
    await page.resize(390, 844);
    await visit("/issues");
    const select = (count: number) =>
      page.evaluate<number>(`
        const boxes = [...document.querySelectorAll("[name=digest]")];
        boxes.forEach((box, n) => { if (box.checked !== n < ${count}) box.click(); });
        return document.querySelector(".selected-count").getBoundingClientRect().width;`);
    const one = await select(1);
    // The number of ten or more has two digits.
    expect(await select(10)).toBeGreaterThan(1.5 * one);
    expect(one).toBeGreaterThan(0);
    await page.resize(1440, 900);
  });

  it("forward returns to the place on the page", async () => {
    await visit("/issues");
    const [first = ""] = await readRows();
    await page.click(`#${first}`);
    await waitFor("location.pathname.startsWith('/d/')");
    await page.resize(1440, 500);
    await page.evaluate("scrollTo(0, 200)");
    await eventually(async () => expect(await read("history.state?.scrollY")).toBe(200));
    await page.evaluate("history.back()");
    await waitFor(
      "location.pathname === '/issues' && document.querySelector('.issue-row') !== null",
    );
    await page.evaluate("history.forward()");
    await waitFor("location.pathname.startsWith('/d/') && scrollY === 200");
    await page.resize(1440, 900);
  });

  it("a row is a link in all its cells, and its ring is even", async () => {
    await visit("/issues");
    await page.press("j");
    const rows = await page.evaluate<boolean[]>(`
      return [...document.querySelectorAll(".issue-row")].slice(0, 6).map((row) =>
        [...row.children].every((cell) => {
          const { left, top, width, height } = cell.getBoundingClientRect();
          const found = document.elementFromPoint(left + width / 2, top + height / 2);
          return found.closest("tr") === row && found.matches("a, a *, label, label *, button, button *");
        }));`);
    expect(rows.length).toBeGreaterThan(4);
    expect(rows).not.toContain(false);
    // A window without focus, as headless Firefox has, shows no rings.
    if (!(await read("document.activeElement.matches(':focus-visible')"))) return;
    const ring = await page.evaluate<string[]>(`
      return [...document.activeElement.closest("tr").children].map((cell) => {
        const { borderTopWidth, borderBottomWidth, top, height } = getComputedStyle(cell, "::before");
        return [borderTopWidth, borderBottomWidth, top, height].join(" ");
      });`);
    expect(ring[0]).toMatch(/^2px 2px 0px/);
    expect(new Set(ring).size).toBe(1);
  });

  it("no heading of /status moves while the page arrives", async () => {
    await page.goto(`${url}/status`);
    const tops = await page.evaluate<Record<string, number[]>>(`
      const places = {};
      const note = () => {
        for (const heading of document.querySelectorAll("main :is(h1, h2)"))
          if (heading.checkVisibility())
            (places[heading.textContent] ??= []).push(heading.getBoundingClientRect().top);
        return places.Alerts !== undefined;
      };
      while (!note()) await new Promise(requestAnimationFrame);
      for (let n = 0; n < 20; n++) { await new Promise(requestAnimationFrame); note(); }
      return places;`);
    expect(Object.keys(tops)).toContain("Storage");
    for (const [heading, all] of Object.entries(tops))
      expect(Math.max(...all) - Math.min(...all), heading).toBeLessThan(60);
  });

  it.each(PHONE_WIDTHS)("no page is wider than a phone of %d px", async (width) => {
    const [digest = ""] = await report("phone@1", ["cart"]);
    await page.resize(width, 780);
    for (const path of [
      "/",
      "/issues",
      "/releases",
      "/csp",
      "/status",
      `/d/${digest}`,
      `/e/${digest}`,
    ]) {
      await visit(path);
      const [scrolled, inner] = await read<number[]>(
        "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
      );
      expect(scrolled, path).toBeLessThanOrEqual(inner ?? 0);
    }
    await page.resize(1440, 900);
  });
});
