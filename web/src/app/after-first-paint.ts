/** Runs `work` once the page has been painted: what nobody sees must not hold up what they do. */
export function afterFirstPaint(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work));
}
