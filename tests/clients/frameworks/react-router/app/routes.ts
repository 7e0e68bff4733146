import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  index("routes/home.tsx"),
  route("cart/:id", "routes/cart.tsx"),
  route("order", "routes/order.tsx"),
  route("account", "routes/account.tsx"),
  route("menu", "routes/menu.tsx"),
  route("reviews", "routes/reviews.tsx"),
  route("stock", "routes/stock.tsx"),
  route("prices", "routes/prices.tsx"),
  route("feed/:format", "routes/feed.ts"),
  route("text", "routes/text.tsx"),
  route("expected", "routes/expected.tsx"),
  route("old", "routes/old.tsx"),
  route("clock", "routes/clock.tsx"),
  route("slow", "routes/slow.tsx"),
] satisfies RouteConfig;
