/**
 * Returns the value below which the given fraction (0 to 1) of the values lies. The result is one of `values`, or NaN
 * if there are none.
 */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
