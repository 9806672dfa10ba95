/**
 * Returns the lengths of the longest common prefix and suffix of two lists. The prefix and the suffix never overlap.
 */
export function commonEnds(one: readonly string[], other: readonly string[]): { top: number; bottom: number } {
  const shorter = Math.min(one.length, other.length);
  let [top, bottom] = [0, 0];
  while (top < shorter && one[top] === other[top]) top += 1;
  while (bottom < shorter - top && one[one.length - 1 - bottom] === other[other.length - 1 - bottom]) bottom += 1;
  return { top, bottom };
}
