import { describe, expect, it } from 'vitest';
import { BOARD_KEYS, type BoardCommand, type KeyPress, NO_KEYS, pressKey, SCANNER_PACE } from './board-keys.ts';

/** Presses `keys` one after another, `pace` ms apart. Returns the commands and the scanned texts that result. */
function type(keys: readonly string[], pace: number, change: Partial<KeyPress> = {}) {
  const commands: BoardCommand[] = [];
  const scanned: string[] = [];
  let run = NO_KEYS;
  keys.forEach((key, index) => {
    const at = 1000 + index * pace;
    if (at - run.lastAt >= SCANNER_PACE && run.pending) {
      commands.push(run.pending);
      run = { ...run, pending: undefined };
    }
    const pressed = pressKey(run, { key, at, repeat: false, modified: false, alt: false, ...change });
    run = pressed.run;
    if (pressed.command) commands.push(pressed.command);
    if (pressed.scanned !== undefined) scanned.push(pressed.scanned);
  });
  if (run.pending) commands.push(run.pending);
  return { commands, scanned };
}

describe('keys pressed at a human pace', () => {
  it.each<[string, BoardCommand]>([
    ['j', 'next'],
    ['k', 'previous'],
    ['Enter', 'open'],
    ['x', 'select'],
    ['X', 'selectRange'],
    ['s', 'ship'],
    ['u', 'undo'],
    ['/', 'search'],
    ['1', 'filter1'],
    ['4', 'filter4'],
    ['p', 'print'],
    ['r', 'refund'],
    ['?', 'help'],
  ])('W5 the key %s runs the command %s', (key, command) => {
    expect(type([key], 100)).toEqual({ commands: [command], scanned: [] });
  });

  it('W5 when several keys are pressed in turn, each shortcut runs its command and other keys do nothing', () => {
    expect(type(['x', 'j', 'Shift', 'X', 'b', 's'], 100).commands).toEqual(['select', 'next', 'selectRange', 'ship']);
  });

  it('W5 key combinations with Ctrl, Cmd or Alt are left to the browser, except Ctrl+A and Cmd+A', () => {
    expect(type(['s', 'p', 'Enter'], 100, { modified: true }).commands).toEqual([]);
    expect(type(['a'], 100, { modified: true }).commands).toEqual(['selectAll']);
    expect(type(['a'], 100, { modified: true, alt: true }).commands).toEqual([]);
  });

  it('W5 holding a key down repeats the commands that move between rows, but no other command', () => {
    expect(type(['j', 'j', 'k'], 15, { repeat: true }).commands).toEqual(['next', 'next', 'previous']);
    expect(type(['s', 'x', 'u', 'Enter'], 15, { repeat: true }).commands).toEqual([]);
  });

  it('W5 the list of keyboard shortcuts contains each of the board’s keys exactly once', () => {
    for (const key of ['j', 'k', 'Enter', 'x', 'Shift x', 's', 'u', '/', 'p', 'r', '?']) {
      expect(BOARD_KEYS.filter(({ keys }) => keys === key)).toHaveLength(1);
    }
  });
});

describe('a scanner', () => {
  it.each([1, 5, 15, 29])('W6 keys pressed %d ms apart are treated as a single scan and run no commands', (pace) => {
    for (const code of ['MC-1042', 'sjkxu12/?p', '3SKDTK1234s', 's', '1']) {
      expect(type([...code, 'Enter'], pace)).toEqual({ commands: [], scanned: [code] });
    }
  });

  it('W6 holding Shift for capital letters does not interrupt a scan', () => {
    expect(type(['Shift', 'M', 'Shift', 'C', '-', '1', 'Enter'], 10)).toEqual({ commands: [], scanned: ['MC-1'] });
  });

  it('W6 keys pressed as fast as a scan but without a final Enter do nothing', () => {
    expect(type([...'ssuu12'], 10)).toEqual({ commands: [], scanned: [] });
  });

  it('W6 keys that a person presses before and after a scan still run their commands', () => {
    const first = type(['j'], 100);
    expect(first.commands).toEqual(['next']);
    let { run } = pressKey(NO_KEYS, { key: 's', at: 0, repeat: false, modified: false, alt: false });
    run = pressKey(run, { key: 'M', at: 10, repeat: false, modified: false, alt: false }).run;
    expect(run.pending).toBeUndefined();
    const ended = pressKey(run, { key: 'Enter', at: 20, repeat: false, modified: false, alt: false });
    expect(ended.scanned).toBe('sM');
    expect(pressKey(ended.run, { key: 'u', at: 21, repeat: false, modified: false, alt: false }).run.pending).toBe(
      'undo',
    );
  });
});
