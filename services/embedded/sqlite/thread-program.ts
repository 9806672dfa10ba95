import { extname } from 'node:path';

/**
 * Returns the URL of the named thread's program, whose file is in this folder. When running from source, the program
 * loads tsx before that file, because Node 20 can't load TypeScript in a thread on its own.
 */
export function threadProgram(name: string): URL {
  const extension = extname(import.meta.url);
  const program = new URL(`./${name}${extension}`, import.meta.url);
  if (extension === '.js') return program;
  const tsx = import.meta.resolve('tsx/esm/api');
  const loading = `import { register } from '${tsx}'; register(); await import('${program}');`;
  return new URL(`data:text/javascript,${encodeURIComponent(loading)}`);
}
