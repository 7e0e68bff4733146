/**
 * The tabs of `/connect`: opens the one in the URL's fragment and stores the choice in a cookie,
 * which the server reads. Without scripts, the style sheet opens the tab of the fragment.
 */

const COOKIE = "errata-tabs";
const ONE_YEAR_S = 31_536_000;

/** Starts once on the page of the tabs. */
export function initTabs(page: HTMLElement): void {
  const radios = [...page.querySelectorAll<HTMLInputElement>("[type=radio]")];
  for (const radio of radios) {
    const { checked } = radio;
    // The style sheet opens the tab of the fragment only while a radio button that the server
    // checked is still the checked one.
    radio.defaultChecked = false;
    radio.checked = checked;
  }
  page.onchange = ({ target }) => {
    if (!radios.includes(target as HTMLInputElement)) return;
    const ids = radios.filter(({ checked }) => checked).map(({ value }) => value);
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API.
    document.cookie = `${COOKIE}=${ids.join(".")}; Path=/; Max-Age=${ONE_YEAR_S}; SameSite=Lax`;
    history.replaceState(history.state, "", `#${(target as HTMLInputElement).value}`);
  };
  openTabOfFragment();
}

addEventListener("hashchange", openTabOfFragment);

function openTabOfFragment(): void {
  const panel = document.getElementById(location.hash.slice(1));
  const radio = panel?.parentElement?.querySelector<HTMLInputElement>(":scope > [type=radio]");
  if (!radio || radio.checked) return;
  radio.checked = true;
  panel?.scrollIntoView();
}
