import { Chart } from "./chart.tsx";

export const dynamic = "force-dynamic";

export default function BothSides() {
  return <Chart />;
}
