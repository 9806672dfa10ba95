import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FONT_FILE, takaFont } from './draw-taka.ts';

/** The offset and length of a table, from the directory at the font's beginning. */
function table(font: Buffer, wanted: string): Buffer {
  for (let entry = 0; entry < font.readUInt16BE(4); entry += 1) {
    const at = 12 + 16 * entry;
    if (font.toString('latin1', at, at + 4) !== wanted) continue;
    const offset = font.readUInt32BE(at + 8);
    return font.subarray(offset, offset + font.readUInt32BE(at + 12));
  }
  throw new Error(`The font has no table ${wanted}.`);
}

describe('takaFont', () => {
  it('H4 is what the web client ships', () => {
    expect(readFileSync(FONT_FILE).equals(takaFont())).toBe(true);
  });

  it('H4 has a glyph for the taka sign and for nothing else', () => {
    const map = table(takaFont(), 'cmap').subarray(12);
    expect([map.readUInt16BE(14), map.readUInt16BE(16)]).toEqual([0x09f3, 0xffff]);
    const start = map.readUInt16BE(20);
    expect((start + map.readUInt16BE(24)) & 0xffff).toBe(1);
  });

  it('has the checksum that a whole font of this format sums up to', () => {
    const font = takaFont();
    let sum = 0;
    for (let at = 0; at < font.length; at += 4) sum = (sum + font.readUInt32BE(at)) >>> 0;
    expect(sum).toBe(0xb1b0afba);
  });
});
