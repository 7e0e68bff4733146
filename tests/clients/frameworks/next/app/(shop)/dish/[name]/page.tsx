interface Dish {
  readonly prices: readonly number[];
}

// The message of an engine: the route is a part of its digest.
export default async function DishPage({ params }: { params: Promise<{ name: string }> }) {
  const { name } = await params;
  const dish = JSON.parse("{}") as Dish;
  return (
    <p>
      {name}: {dish.prices[0]}
    </p>
  );
}
