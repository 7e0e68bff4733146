import { describe, expect, it } from "vitest";
import { toSearchText } from "#src/core/report/search-text.ts";
import { createReport } from "#support/reports/reports.ts";

const own = { function: "priceOf", file: "/srv/shop/price.ts", inApp: true };
const library = { function: "renderWithHooks", file: "node_modules/react-dom.js", inApp: false };

describe("the search text of a report", () => {
  it("has frames of the application and none of libraries", () => {
    const text = toSearchText(createReport(1, { frames: [library, own, library] }));
    expect(text).toBe("TypeError\nthe price of the cart is missing\npriceOf\n/srv/shop/price.ts");
  });

  it("has frames of libraries if there are no others", () => {
    expect(toSearchText(createReport(1, { frames: [library] }))).toContain("renderWithHooks");
  });

  it("has each value once", () => {
    const text = toSearchText(createReport(1, { frames: [own, { ...own, function: "total" }] }));
    expect(text.split("/srv/shop/price.ts")).toHaveLength(2);
  });

  it("has the modules of frames and of types", () => {
    const frames = [{ function: "total", module: "com.acme.billing.Bill", inApp: true }];
    const causes = [{ type: "E", typeModule: "com.acme.db", message: "", frames: [] }];
    const report = createReport(1, { frames, causes, typeModule: "com.acme.mail" });
    const text = toSearchText(report);
    for (const name of ["com.acme.billing.Bill", "com.acme.db", "com.acme.mail"])
      expect(text).toContain(name);
  });
});
