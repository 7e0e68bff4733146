// What stands for many figures.

/** The middle one, or the mean of the two in the middle; 0 of none. @param {readonly number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const [low = 0, high = 0] = [
    sorted[Math.ceil(sorted.length / 2) - 1],
    sorted[sorted.length >> 1],
  ];
  return (low + high) / 2;
}

/** The figure below which this share of them is, from 0 to 1; 0 of none. @param {readonly number[]} numbers @param {number} share */
export function quantile(numbers, share) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0;
}
