import { extname } from 'node:path';

/**
 * Returns the URL of a thread's program, given the name of a file in this folder. Node 20 can't load TypeScript in a
 * thread. When the shop runs from source, the URL therefore contains a short program that loads tsx first, and then the
 * file.
 */
export function threadProgram(name: string): URL {
  const extension = extname(import.meta.url);
  const program = new URL(`./${name}${extension}`, import.meta.url);
  if (extension === '.js') return program;
  const tsx = import.meta.resolve('tsx/esm/api');
  const loading = `import { register } from '${tsx}'; register(); await import('${program}');`;
  return new URL(`data:text/javascript,${encodeURIComponent(loading)}`);
}
