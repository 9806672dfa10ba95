import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

/** By cost: the headless shell draws the same pages with a third less CPU than a whole browser. */
const NAMES = ['chromium-headless-shell', 'chromium', 'google-chrome'];

/** Where a Chromium is looked for, and how one can be installed. */
export interface Machine {
  /** PATH */
  readonly path: string;
  /** a Chromium that a person has named */
  readonly named: string | undefined;
  /** where Playwright keeps its own */
  readonly playwrightsOwn: string;
  /** root on Debian: apt-get may install a package, its libraries too */
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
 * The Chromium that the tests drive. Where there is none, installs one and says so.
 * @returns its path; undefined where it is Playwright's own, which Playwright finds by itself
 * @throws Error where none is found and none can be installed
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
    'The browser tests need a Chromium, found none and could not install one. Install it with `apt-get install chromium` or ' +
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
