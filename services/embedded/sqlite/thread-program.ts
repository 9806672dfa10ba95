import { extname } from 'node:path';

/** The program of a thread in this folder: as built, or as written, since Node 20 loads no TypeScript in a thread unless told how. */
export function threadProgram(name: string): URL {
  const extension = extname(import.meta.url);
  const program = new URL(`./${name}${extension}`, import.meta.url);
  if (extension === '.js') return program;
  const tsx = import.meta.resolve('tsx/esm/api');
  const loading = `import { register } from '${tsx}'; register(); await import('${program}');`;
  return new URL(`data:text/javascript,${encodeURIComponent(loading)}`);
}
