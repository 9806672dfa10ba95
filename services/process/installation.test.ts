import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installationFault } from './installation.mjs';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
/** The programs that npm scripts run before anything is built. */
const PROGRAMS = [
  'services/main/run.mjs',
  'services/main/build.mjs',
  'services/main/dev.mjs',
  'infra/parts/run-parts.mjs',
];

const EXPRESS = { version: '5.3.0' };
const LOCKED = {
  '': { version: '0.1.0' },
  services: { version: '0.1.0' },
  'node_modules/@micro-center/services': { resolved: 'services', link: true },
  'node_modules/express': EXPRESS,
  'node_modules/vite': { version: '8.3.8', dev: true },
  'node_modules/fsevents': { version: '2.3.3', optional: true },
};

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'installation-'));
  write('package.json', { engines: { node: '^20.19 || >=22.12' } });
  write('package-lock.json', { packages: LOCKED });
  mkdirSync(join(root, 'node_modules'));
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (path: string, content: unknown) => writeFileSync(join(root, path), JSON.stringify(content));
const fault = () => installationFault(root, '24.1.0');

/** Writes npm's list of installed packages, as old as if package-lock.json had changed since. */
function install(packages: Record<string, object>): void {
  const file = 'node_modules/.package-lock.json';
  write(file, { packages });
  utimesSync(join(root, file), new Date(0), new Date(0));
}

describe('the version of Node', () => {
  it.each(['14.21.3', '16.20.2', '18.20.8', '20.10.0', '20.18.3', '21.7.3', '22.0.0', '22.11.0'])(
    'START1 on Node %s, the shop says which version it needs and how to get it',
    (version) => {
      install(LOCKED);
      expect(installationFault(root, version)).toBe(
        `The shop needs Node ^20.19 || >=22.12, but this is Node ${version}: install the current LTS (https://nodejs.org), then run npm ci.`,
      );
    },
  );

  it.each(['20.19.0', '20.20.2', '22.12.0', '23.0.0', '24.19.0', '26.1.0'])('the shop runs on Node %s', (version) => {
    install(LOCKED);
    expect(installationFault(root, version)).toBeNull();
  });

  it.each(PROGRAMS)('START1 on an older Node, %s prints one line and exits with 1', (program) => {
    const pretend = "Object.defineProperty(process.versions, 'node', { value: '18.20.8' })";
    const args = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, join(REPOSITORY, program), 'test'];
    // Without the check, the program would find no npm to run, and would be stopped after a while.
    const options = { encoding: 'utf8', timeout: 20_000, env: { PATH: '' } } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^The shop needs Node .*, but this is Node 18\.20\.8: .* npm ci\.\n$/);
  });

  it('START1 a program that checks the version imports no package and no TypeScript before the check', () => {
    const imported = new Set(PROGRAMS.map((program) => join(REPOSITORY, program)));
    for (const file of imported) {
      for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export) [^;]*from '([^']*)';$/gm)) {
        if (name.startsWith('node:')) continue;
        expect(name, file).toMatch(/^\..*\.mjs$/);
        imported.add(join(file, '..', name));
      }
    }
    expect(imported.size).toBeGreaterThan(PROGRAMS.length);
  });
});

describe('the installed packages', () => {
  it('START1 missing packages are reported with the command that installs them', () => {
    rmSync(join(root, 'node_modules'), { recursive: true });
    expect(fault()).toBe('No packages are installed: run npm ci.');
  });

  it('START1 an npm ci that was interrupted is reported', () => {
    expect(fault()).toBe('The packages are installed only in part: run npm ci again, and let it finish.');
  });

  it.each([
    ['a version has changed', { ...LOCKED, 'node_modules/express': { version: '5.2.0' } }],
    ['a package is new', { ...LOCKED, 'node_modules/express': undefined }],
    ['a development package has another version', { ...LOCKED, 'node_modules/vite': { version: '8.0.0', dev: true } }],
  ])('START1 packages of an older package-lock.json are reported if %s', (_what, packages) => {
    install(packages as Record<string, object>);
    expect(fault()).toBe('The installed packages are not those of package-lock.json: run npm ci.');
  });

  it('the installed packages fit without packages for development and for other kinds of machines', () => {
    install({ 'node_modules/express': EXPRESS, 'node_modules/extra': { version: '1.0.0' } });
    expect(fault()).toBeNull();
  });

  it('package-lock.json is not read if nothing has changed it since the packages were installed', () => {
    install({});
    utimesSync(join(root, 'package-lock.json'), new Date(0), new Date(0));
    expect(fault()).toBeNull();
  });
});
