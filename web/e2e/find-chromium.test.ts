import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findChromium, type Machine } from './find-chromium.ts';

let folder: string;
let machine: Machine;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'find-chromium-'));
  said = [];
  mkdirSync(join(folder, 'bin'));
  const playwrightsOwn = join(folder, 'playwright', 'chrome');
  machine = { path: join(folder, 'bin'), named: undefined, playwrightsOwn, hasApt: false };
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes an executable shell script with these lines. Returns its path. */
function program(path: string, lines = 'exit 1'): string {
  const whole = join(folder, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, `#!/bin/sh\n${lines}\n`);
  chmodSync(whole, 0o755);
  return whole;
}

/** Writes a fake installer that records its arguments, and creates the file `installs` if one of them contains "install". */
function installer(name: string, installs: string): void {
  const noted = join(folder, name);
  program(`bin/${name}`, `echo "$@" >> ${noted}\ncase "$*" in *install*) : > ${installs};; esac`);
}
const ranWith = (name: string) => readFileSync(join(folder, name), 'utf8').trim().split('\n');
const find = () => findChromium(machine, (line) => said.push(line));

describe('on a machine with Chromium installed', () => {
  it('the browser tests use the Chromium that CHROMIUM names, or else Playwright’s own, or else the most lightweight build in PATH', () => {
    const google = program('bin/google-chrome');
    expect(find()).toBe(google);
    const whole = program('bin/chromium');
    expect(find()).toBe(whole);
    const shell = program('elsewhere/chromium-headless-shell');
    machine = { ...machine, path: `${machine.path}${delimiter}${dirname(shell)}` };
    expect(find()).toBe(shell);
    program('playwright/chrome');
    expect(find()).toBeUndefined();
    const named = program('mine');
    machine = { ...machine, named };
    expect(find()).toBe(named);
    expect(said).toEqual([]);
  });
});

describe('on a machine without Chromium', () => {
  it('if no Chromium is installed, the browser tests install Playwright’s own and log that they do', () => {
    mkdirSync(dirname(machine.playwrightsOwn));
    installer('npx', machine.playwrightsOwn);
    expect(find()).toBeUndefined();
    expect(ranWith('npx')).toEqual(['playwright install chromium']);
    expect(said).toEqual(['The browser tests found no Chromium. Installing one: npx playwright install chromium']);
  });

  it('the browser tests install the system’s Chromium package if they can use apt-get', () => {
    const shell = join(folder, 'bin', 'chromium-headless-shell');
    installer('apt-get', shell);
    machine = { ...machine, hasApt: true };
    expect(find()).toBe(shell);
    expect(ranWith('apt-get')).toEqual(['update -qq', 'install -y -qq chromium-headless-shell']);
    expect(said).toHaveLength(1);
  });

  it('the browser tests install Playwright’s own Chromium if apt-get fails', () => {
    program('bin/apt-get');
    mkdirSync(dirname(machine.playwrightsOwn));
    installer('npx', machine.playwrightsOwn);
    machine = { ...machine, hasApt: true };
    expect(find()).toBeUndefined();
    expect(said).toHaveLength(2);
  });

  it('the browser tests say how to install Chromium if they cannot install it themselves', () => {
    machine = { ...machine, hasApt: true };
    expect(find).toThrow(/apt-get install chromium.*CHROMIUM=/);
  });
});
