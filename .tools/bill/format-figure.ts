const UNITS = [
  { from: 0.9995e12, unit: 1e12, name: "T" },
  { from: 0.9995e9, unit: 1e9, name: "G" },
  { from: 0.9995e6, unit: 1e6, name: "M" },
  { from: 1e4, unit: 1e3, name: "k" },
] as const;

/** Two or three digits, all below 10,000: `0.38`, `14.2`, `9,999`, `12 k`, `1.2 M`. */
export function formatFigure(amount: number): string {
  const unit = UNITS.find(({ from }) => amount >= from);
  return unit === undefined
    ? formatDigits(amount)
    : `${formatDigits(amount / unit.unit)} ${unit.name}`;
}

function formatDigits(amount: number): string {
  if (amount >= 100) return Math.round(amount).toLocaleString("en-GB");
  return String(Number(amount.toPrecision(amount >= 10 ? 3 : 2)));
}
