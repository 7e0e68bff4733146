/** How a stack frame of any runtime is named on pages and in texts. */
import type { Frame } from "../report.ts";

/** The texts of one frame. */
interface FrameDescription {
  /** The function, else the address, else `(anonymous)`. */
  readonly name: string;
  /** The class, module or image, if the place does not contain it. */
  readonly module?: string;
  /** The file, else the module, else the library or image. */
  readonly place?: string;
}

/** The name and the place of a frame. */
export function describeFrame(frame: Frame): FrameDescription {
  const place = frame.file ?? frame.module ?? frame.package;
  const owner = frame.module ?? frame.package;
  return {
    name: frame.function ?? frame.address ?? "(anonymous)",
    ...(owner !== undefined && !isIncluded(owner, frame) && { module: owner }),
    place,
  };
}

/** `shop.cart` is included in `/srv/shop/cart.py`, and `Shop.Cart` in `Shop.Cart.total/1`. */
function isIncluded(owner: string, frame: Frame): boolean {
  const words = owner.toLowerCase().replace(/[\\/]/g, ".");
  return [frame.function, frame.file ?? owner].some((text) =>
    text?.toLowerCase().replace(/[\\/]/g, ".").includes(words),
  );
}
