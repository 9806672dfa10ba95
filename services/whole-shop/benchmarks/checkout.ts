import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const HERE = fileURLToPath(new URL('../../../', import.meta.url));

export interface Checkout {
  /** short commit hash */
  readonly name: string;
  readonly root: string;
  remove(): void;
}

/** Checks out another commit of this repository into a separate folder, and builds it. */
export function checkOut(commit: string): Checkout {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: HERE, encoding: 'utf8' }).trim();
  const name = git('rev-parse', '--short', commit);
  const root = join(mkdtempSync(join(tmpdir(), 'micro-center-bench-')), name);
  git('worktree', 'add', '--detach', root, commit);
  const remove = () => git('worktree', 'remove', '--force', root);
  try {
    const lock = 'package-lock.json';
    if (readFileSync(join(root, lock), 'utf8') === readFileSync(join(HERE, lock), 'utf8')) {
      // Both source trees need the same packages, so the packages are hard-linked, which takes only seconds. The links
      // between workspaces are relative, so the copied links point into the new folder.
      for (const folder of ['', 'services', 'web']) {
        const modules = join(folder, 'node_modules');
        if (existsSync(join(HERE, modules))) execFileSync('cp', ['-al', join(HERE, modules), join(root, modules)]);
      }
    } else {
      execFileSync('npm', ['ci'], { cwd: root, stdio: 'inherit' });
    }
    execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' });
    return { name, root, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Fills a data directory by running a function of seed.ts in the source tree at `root`. The tables of the documents
 * differ between commits, and a shop can't open the tables of a newer one.
 */
export async function seed(root: string, how: 'saveOrders' | 'placeInLog', dataDir: string, count: number) {
  const run = `import('./services/whole-shop/benchmarks/seed.ts').then((seed) => seed.${how}(process.argv[1], ${count}))`;
  await promisify(execFile)(process.execPath, ['--import', 'tsx', '-e', run, dataDir], { cwd: root });
}
