import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** This folder has its own package.json, so that `npm ci` of the repository doesn't install Lighthouse. */
const FOLDER = fileURLToPath(new URL('.', import.meta.url));
/** The type `string` keeps the compiler from looking for a package that may not be installed. */
const PACKAGE: string = 'lighthouse';

/** The parts of Lighthouse's result that `npm run lighthouse` reads. */
const resultSchema = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  categories: z.record(
    z.string(),
    z.object({
      /** from 0 to 1, or null if an audit of the category failed */
      score: z.number().nullable(),
      auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
    }),
  ),
  audits: z.record(
    z.string(),
    z.object({
      title: z.string(),
      /** from 0 to 1, or null if the audit has no score */
      score: z.number().nullable(),
      displayValue: z.string().optional(),
      numericValue: z.number().optional(),
    }),
  ),
  environment: z.object({ benchmarkIndex: z.number() }),
});
export type Result = z.infer<typeof resultSchema>;

const answerSchema = z.object({ lhr: resultSchema });
const moduleSchema = z.object({
  default: z.custom<(url: string, flags: object) => Promise<unknown>>((value) => typeof value === 'function'),
});

/**
 * Loads Lighthouse, which is installed first if necessary.
 * @returns a function that measures a page with Lighthouse's flags, and throws an Error if the page can't be measured
 */
export async function loadLighthouse(): Promise<(url: string, flags: object) => Promise<Result>> {
  installPackages(FOLDER);
  const { default: lighthouse } = moduleSchema.parse(await import(PACKAGE));
  return async (url, flags) => {
    const { lhr } = answerSchema.parse(await lighthouse(url, flags));
    if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
    return lhr;
  };
}

/**
 * Installs the packages of a folder's package-lock.json, unless exactly these packages have been installed already. The
 * lock file of the last complete installation is kept in `node_modules`, which `npm ci` deletes first.
 * @throws Error if the packages can't be installed
 */
export function installPackages(folder: string, say = console.log): void {
  const lock = join(folder, 'package-lock.json');
  const installed = join(folder, 'node_modules', '.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(lock))) return;
  say('installing Lighthouse (once, about half a minute) ...');
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`\`npm ci\` failed in ${folder}:\n${stderr}`);
  copyFileSync(lock, installed);
}
