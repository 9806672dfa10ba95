import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

/**
 * The names of the executables to look for, cheapest first. The headless shell renders the same pages with a third less
 * CPU than a full browser.
 */
const NAMES = ['chromium-headless-shell', 'chromium', 'google-chrome'];

/** Where to look for a Chromium, and how to install one. */
export interface Machine {
  /** the environment variable PATH */
  readonly path: string;
  /** the path in the environment variable CHROMIUM */
  readonly named: string | undefined;
  /** where Playwright installs its own Chromium */
  readonly playwrightsOwn: string;
  /** whether this process is root on Debian and can therefore install Chromium and the libraries it needs with apt-get */
  readonly hasApt: boolean;
}

function thisMachine(): Machine {
  const release = '/etc/os-release';
  const isDebian = existsSync(release) && /^ID=debian$/m.test(readFileSync(release, 'utf8'));
  return {
    path: process.env.PATH ?? '',
    named: process.env.CHROMIUM,
    playwrightsOwn: chromium.executablePath(),
    hasApt: isDebian && process.getuid?.() === 0,
  };
}

/**
 * Finds the Chromium that the tests drive. If there is none, installs one and reports the installation through `say`.
 * @returns its path, or undefined for Playwright's own Chromium, which Playwright finds by itself
 * @throws Error if none is found and none can be installed
 */
export function findChromium(machine: Machine = thisMachine(), say = console.log): string | undefined {
  for (const install of [null, ...waysToInstall(machine)]) {
    if (install !== null) {
      say(
        `The browser tests found no Chromium. Installing one: ${install.map((command) => command.join(' ')).join(' && ')}`,
      );
      install.every((command) => succeeds(command, machine.path));
    }
    const found = lookFor(machine);
    if (found) return found === machine.playwrightsOwn ? undefined : found;
  }
  throw new Error(
    'The browser tests found no Chromium and could not install one. Install it with `apt-get install chromium` or ' +
      '`npx playwright install --with-deps chromium`, or name yours: CHROMIUM=/path/to/chromium npm run test:browser',
  );
}

function lookFor({ path, named, playwrightsOwn }: Machine): string | undefined {
  const inPath = NAMES.flatMap((name) => path.split(delimiter).map((folder) => join(folder, name)));
  return [...(named ? [named] : []), playwrightsOwn, ...inPath].find((place) => existsSync(place));
}

function waysToInstall({ hasApt }: Machine): string[][][] {
  const apt = [
    ['apt-get', 'update', '-qq'],
    ['apt-get', 'install', '-y', '-qq', 'chromium-headless-shell'],
  ];
  return [...(hasApt ? [apt] : []), [['npx', 'playwright', 'install', 'chromium']]];
}

function succeeds([command = '', ...args]: string[], path: string): boolean {
  const env = { ...process.env, PATH: path, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { env, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}
