/** Signs a new person in to the built product, as the form of the sign-in page does. */

/** The cookies of the session. `link` is that of the deployment at its origin. */
export async function signInByLink(link: string, name = "Ada"): Promise<string> {
  const { origin, hash } = new URL(link);
  const response = await fetch(`${origin}/sign-in`, {
    method: "POST",
    headers: { origin, "sec-fetch-site": "same-origin" },
    redirect: "manual",
    body: new URLSearchParams({ code: hash.slice(1), name }),
  });
  const cookies = response.headers.getSetCookie().map((one) => one.split(";")[0]);
  return cookies.join("; ");
}
