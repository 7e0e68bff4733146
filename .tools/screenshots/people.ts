// Sets up the people and settings for the screenshots: an owner with keys, a token and an
// invitation, a member, a viewer, and a second project.

/** Signs in with the code of the link and sets Errata up. Resolves to the session's cookie. */
export async function setUpPeople(url: string, code: string) {
  const cookie = await enter(url, code, "Ada Lovelace");
  const change = (path: string, fields: object) => post(url, path, fields, cookie);
  await change("/settings", {
    do: "add-key",
    name: "Shop, in browsers",
    origins: ["https://shop.example", "https://*.shop.example"],
    rate: 6000,
  });
  await change("/settings", { do: "add-key", name: "Checkout server" });
  await change("/settings", { do: "add-token", name: "ci", role: "viewer", expiresInDays: 90 });
  for (const [role, name] of [
    ["member", "Grace Hopper"],
    ["viewer", "مارغريت هاميلتون"],
  ]) {
    const { secrets } = await change("/settings", { do: "invite", role });
    await enter(url, secrets[0], name ?? "");
  }
  await change("/settings", { do: "invite", role: "member" });
  await change("/projects", { name: "Back office" });
  return cookie;
}

async function enter(url: string, code: string, name: string) {
  const response = await fetch(`${url}/sign-in`, {
    method: "POST",
    body: new URLSearchParams({ code, name }),
    redirect: "manual",
  });
  const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
  return cookie;
}

async function post(url: string, path: string, fields: object, cookie: string) {
  const headers = { "content-type": "application/json", origin: new URL(url).origin, cookie };
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(fields),
  });
  return response.json();
}
