export const runtime = "edge";

interface Dish {
  readonly prices: readonly number[];
}

export default async function EdgeDish({ params }: { params: Promise<{ name: string }> }) {
  const { name } = await params;
  const dish = JSON.parse("{}") as Dish;
  return (
    <p>
      {name}: {dish.prices[0]}
    </p>
  );
}
