// Who is on the pictures of sign-in and settings: the deployer with a key, a token and an invitation, a member beside him, and a
// second project.

/**
 * Comes in by the link's code, and sets the desk up. Gives the session's cookie.
 *
 * @param {string} url @param {string} code
 */
export async function moveIn(url, code) {
  const cookie = await enter(url, code, "Ada Lovelace");
  const change = (/** @type {string} */ path, /** @type {object} */ fields) =>
    post(url, path, fields, cookie);
  await change("/settings", {
    do: "add-key",
    name: "Shop, in browsers",
    origins: ["https://shop.example", "https://*.shop.example"],
    rate: 6000,
  });
  await change("/settings", { do: "add-key", name: "Checkout server" });
  await change("/settings", { do: "add-token", name: "ci", role: "viewer", days: 90 });
  for (const [role, name] of [
    ["member", "Grace Hopper"],
    ["viewer", "مارغريت هاميلتون"],
  ]) {
    const { shown } = await change("/settings", { do: "invite", role });
    await enter(url, shown[0], name ?? "");
  }
  await change("/settings", { do: "invite", role: "member" });
  await change("/projects", { name: "Back office" });
  return cookie;
}

/** @param {string} url @param {string} code @param {string} name */
async function enter(url, code, name) {
  const response = await fetch(`${url}/enter`, {
    method: "POST",
    body: new URLSearchParams({ code, name }),
    redirect: "manual",
  });
  const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
  return cookie;
}

/** @param {string} url @param {string} path @param {object} fields @param {string} cookie */
async function post(url, path, fields, cookie) {
  const headers = { "content-type": "application/json", origin: new URL(url).origin, cookie };
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(fields),
  });
  return response.json();
}
