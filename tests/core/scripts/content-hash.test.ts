import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasContentHash } from "#src/core/scripts/content-hash.ts";

/** Names that builds wrote. */
const HASHED: Readonly<Record<string, string>> = {
  Vite: "index-Cepvnn19.js index-DZUnZWZM.js STLUpload-D_LN-hbf.js orientWorker-CRugqaXP.js index-ktA5GlZY.js index-Bd0Ef7jk.js index-e92ae01e.js utils-B--2TaWv.js",
  SvelteKit:
    "0.DNW6LhfW.js scheduler.BOylP72J.js BFfIV2Jx.js 4zjZYpgA.js 0.C0yx0l-6.js sX6IpWYd.js 4.6fca19b4.js start.ee3f1196.js",
  Nuxt: "entry.8a1b2c3d.js D_3kXz-1.js CN2qBfRo.js",
  Astro:
    "hoisted.BOylP72J.js client.DWue1yki.js index.astro_astro_type_script_index_0_lang.CGO84EJ7.js",
  Remix: "_index-BLTeUFq2.js entry.client-De75vAgL.js manifest-8f3c2b1a.js",
  webpack:
    "main.79d66c73e3faa2dcb464.js 0.098f4dcc89ea24b49edc.chunk.js 787.1a2b3c4d.chunk.js av-dialogs_1f61be536d73231b3215.js",
  Rspack: "main.8ddef8c9e5999030bbac.js 41.365c361abb57.js",
  Next: "framework-64ad27b21261a9ce.js d3ac728e-f1d5a5c4b5c1dbf3.js page-0f2d6b91c0b3a1e7.js",
  Turbopack:
    "3lhkl9l0yfhqr.js 23ar978nudbow.js 0543fct511blu.js 0pqt~8bl3ukh4.js 1208sgaz~lt.8.js turbopack-0bxcrz71-nfi1.js [root-of-the-server]__1_vvzm2sow488._.js [root-of-the-server]__0-pp4xrbvfrum._.js src_app_layout_tsx_1cf6b850._.js node_modules_next_dist_f3530cac._.js _a0ff3932._.js",
  Parcel: "index.1a2b3c4d.js src.e31bb0bc.js",
  esbuild: "chunk-452CZWAZ.js chunk-ZONCZF56.mjs chunk-VOTWGHN2.mjs chunk-QN2QFF4K.cjs",
  Angular:
    "main-LP7D26VR.js chunk-25Y26FF7.js 0-es2015.79d66c73e3faa2dcb464.js 1695.bb0ad82d6c8f5ac9.js 0-es5.c1035b1e4cf1e8993cc2.js",
  Metro: "entry-9e107d9d372bb6826bd81d3542a419d6.js",
};

/** Names without a hash, of libraries, of builds and of their authors. */
const PLAIN: Readonly<Record<string, string>> = {
  application:
    "main.js service-worker.js instrumentation.js page-2.js app.v2.js sw.js runtime~app.js vendors~main.js chunk-vendors.js 2.chunk.js polyfills-es5.js 0-es2015.js remoteEntry.js ngsw-worker.js _buildManifest.js index.android.bundle main.jsbundle",
  libraries:
    "jquery-3.js jquery-3.7.1.min.js bootstrap.bundle.min.js core-js-3.36.1.js d3.v7.min.js three.r158.js react-dom.production.min.js vue.esm-browser.prod.js moment-with-locales.js html2canvas.js zxcvbn.js secp256k1.js chacha20-poly1305.js base64-encoding.js pdf2html.js m3u8parse.js zigbee2mqtt.js ed25519.js bootstrap-iconpicker.min.js iconset-fontawesome-4.6.0.min.js AvEconomicsAdapter.js AlphaIndicatorDialog.js",
  words:
    "3dmodelviewer.js 404-not-found.js 2factor-login.js 1password-sdk.js 3rd-party-lib.js useLocalStorage.js XMLHttpRequest.js GLTFLoader.js KTX2Loader.js CSS3DRenderer.js WebGL2RenderingContext.js OAuth2SSOProvider.js iOSWebRTC2.js QRCodeGenerator.js i18nextHttpBackend.js SparkK8s.js HookI18N.js facade.js deadbeef.js badc0de.js face2face.js decade2000.js CALENDAR.js",
  "other languages":
    "einstellungen.js Rechtsschutzversicherung.js szczegoly.js przesylka-Zamowienie.js konfigurace.js yhteystiedot.js beallitasok.js nastroyki.js",
  versions:
    "2021-03-04-ab.js 2023.11.29-rc.js 1.12.3-rc.2-a.js 4.0.0-alpha.9.js 2d_physics.v3.js v1alpha2.js v1p7beta1.js widget-v2-0-1.js 1.0.0-beta.12.js release-1-4-0.js app-1a.js",
  numbers: "12345678.js app.20261128.js app-20261128-1405.js index.2026-11-28.js hotjar-1234567.js",
  locales: "messages.zh-Hans-CN.js locale-pt-BR.js en-US-v2.js sr-Latn-RS.js",
  identifiers:
    "550e8400-e29b-41d4-a716-446655440000.js doc-6f9619ff-8b86-4d01-b42d-00c04fc964ff.js",
};

function toNames(lists: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(lists).flatMap(([kind, names]) =>
    names.split(" ").map((name): [string, string] => [kind, name]),
  );
}

describe("a hash of contents", () => {
  it.each(toNames(HASHED))("is found in a name of %s: %s", (_, name) => {
    expect(hasContentHash(name)).toBe(true);
  });

  it.each(toNames(PLAIN))("is not found in a name of %s: %s", (_, name) => {
    expect(hasContentHash(name)).toBe(false);
  });

  it("is found in almost all random names, and in no name without letters", () => {
    const hex = fc.stringMatching(/^[0-9a-f]{16}$/);
    const found = fc
      .sample(hex, { numRuns: 500, seed: 7 })
      .filter((hash) => hasContentHash(`main-${hash}.js`));
    expect(found.length).toBeGreaterThan(490);
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9._-]{0,40}$/), (text) => !hasContentHash(`${text}.js`)),
    );
  });

  it("is looked for in any text, in little time", () => {
    fc.assert(fc.property(fc.string(), (text) => typeof hasContentHash(text) === "boolean"));
    expect(hasContentHash(`${"word-".repeat(250_000)}.js`)).toBe(false);
  });
});
