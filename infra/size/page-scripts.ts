import { z } from 'zod';

export const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    imports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
);
export type Manifest = z.infer<typeof manifestSchema>;

/**
 * Returns the built scripts and style sheets for a page's source files and all their static imports.
 * @throws Error if the manifest has no entry for a source file
 */
export function filesOf(manifest: Manifest, sources: readonly string[]): { scripts: string[]; styles: string[] } {
  const seen = new Set<string>();
  const open = [...sources];
  for (let source = open.pop(); source !== undefined; source = open.pop()) {
    if (seen.has(source)) continue;
    seen.add(source);
    const entry = manifest[source];
    if (entry === undefined) throw new Error(`The build has no file for ${source}.`);
    open.push(...entry.imports);
  }
  const entries = [...seen].flatMap((source) => manifest[source] ?? []);
  return {
    scripts: [...new Set(entries.map(({ file }) => file))],
    styles: [...new Set(entries.flatMap(({ css }) => css))],
  };
}
