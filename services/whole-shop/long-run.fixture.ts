/** How often a test repeats what it waits to see fail: a few times in each run, many in `npm run test:long`. */
export function repetitions({ few, many }: { readonly few: number; readonly many: number }): number {
  return process.env.LONG_RUN === '1' ? many : few;
}
