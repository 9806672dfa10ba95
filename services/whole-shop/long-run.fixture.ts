/** The number of repetitions in a test that looks for rare failures: `many` in `npm run test:long`, `few` otherwise. */
export function repetitions({ few, many }: { readonly few: number; readonly many: number }): number {
  return process.env.LONG_RUN === '1' ? many : few;
}
