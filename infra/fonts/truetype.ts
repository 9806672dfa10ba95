/** A point in font units: 1,000 to the em, y upwards from the baseline. */
export interface Point {
  x: number;
  y: number;
}

/** One glyph: closed outlines, clockwise where they are ink. */
export interface Glyph {
  codePoint: number;
  advance: number;
  outlines: Point[][];
}

const UNITS_PER_EM = 1000;
const ASCENT = 800;
const DESCENT = -200;
/** The date in every file, so that the same drawing gives the same bytes. Seconds since 1904. */
const CREATED = 3_800_000_000n;

class Bytes {
  private readonly parts: Buffer[] = [];

  u8(value: number): this {
    return this.push(1, (buffer) => buffer.writeUInt8(value));
  }
  u16(value: number): this {
    return this.push(2, (buffer) => buffer.writeUInt16BE(value));
  }
  i16(value: number): this {
    return this.push(2, (buffer) => buffer.writeInt16BE(value));
  }
  u32(value: number): this {
    return this.push(4, (buffer) => buffer.writeUInt32BE(value));
  }
  i64(value: bigint): this {
    return this.push(8, (buffer) => buffer.writeBigInt64BE(value));
  }
  bytes(buffer: Buffer): this {
    this.parts.push(buffer);
    return this;
  }
  done(): Buffer {
    return Buffer.concat(this.parts);
  }
  private push(size: number, write: (buffer: Buffer) => void): this {
    const buffer = Buffer.alloc(size);
    write(buffer);
    this.parts.push(buffer);
    return this;
  }
}

function bounds(outlines: Point[][]) {
  const points = outlines.flat();
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return { xMin: Math.min(...xs), yMin: Math.min(...ys), xMax: Math.max(...xs), yMax: Math.max(...ys) };
}

/** `glyf` entry of straight outlines: every point on the curve, coordinates as 16-bit differences. */
function glyphData({ outlines }: Glyph): Buffer {
  const { xMin, yMin, xMax, yMax } = bounds(outlines);
  const points = outlines.flat();
  const bytes = new Bytes().i16(outlines.length).i16(xMin).i16(yMin).i16(xMax).i16(yMax);
  let end = -1;
  for (const outline of outlines) {
    end += outline.length;
    bytes.u16(end);
  }
  bytes.u16(0);
  for (const _ of points) bytes.u8(1);
  const differences = (values: number[]) => values.map((value, index) => value - (values[index - 1] ?? 0));
  for (const step of differences(points.map(({ x }) => x))) bytes.i16(step);
  for (const step of differences(points.map(({ y }) => y))) bytes.i16(step);
  const data = bytes.done();
  return Buffer.concat([data, Buffer.alloc(data.length % 2)]);
}

/** A character map of format 4 with one segment for the glyph and the closing one that the format asks for. */
function characterMap(codePoint: number): Buffer {
  const table = new Bytes().u16(4).u16(32).u16(0).u16(4).u16(4).u16(1).u16(0);
  table.u16(codePoint).u16(0xffff).u16(0).u16(codePoint).u16(0xffff);
  table
    .u16((1 - codePoint) & 0xffff)
    .u16(1)
    .u16(0)
    .u16(0);
  return new Bytes().u16(0).u16(1).u16(3).u16(1).u32(12).bytes(table.done()).done();
}

function nameTable(family: string): Buffer {
  const entries: [number, string][] = [
    [1, family],
    [2, 'Regular'],
    [3, family],
    [4, family],
    [6, family.replaceAll(' ', '')],
  ];
  const strings = entries.map(([, text]) => Buffer.from(text, 'utf16le').swap16());
  const bytes = new Bytes()
    .u16(0)
    .u16(entries.length)
    .u16(6 + 12 * entries.length);
  let offset = 0;
  entries.forEach(([id], index) => {
    const length = strings[index]?.length ?? 0;
    bytes.u16(3).u16(1).u16(0x409).u16(id).u16(length).u16(offset);
    offset += length;
  });
  return bytes.bytes(Buffer.concat(strings)).done();
}

function os2Table({ codePoint, advance }: Glyph): Buffer {
  const bytes = new Bytes().u16(4).i16(advance).u16(400).u16(5).u16(0);
  for (const metric of [650, 700, 0, 140, 650, 700, 0, 480, 50, 250, 0]) bytes.i16(metric);
  bytes.bytes(Buffer.alloc(10)).bytes(Buffer.alloc(16)).bytes(Buffer.from('NONE')).u16(0x40);
  bytes.u16(codePoint).u16(codePoint).i16(ASCENT).i16(DESCENT).i16(0).u16(ASCENT).u16(-DESCENT);
  return bytes.u32(0).u32(0).i16(500).i16(700).u16(0).u16(32).u16(0).done();
}

function tablesOf(family: string, glyph: Glyph): Map<string, Buffer> {
  const data = glyphData(glyph);
  const { xMin, yMin, xMax, yMax } = bounds(glyph.outlines);
  const points = glyph.outlines.flat().length;
  const head = new Bytes().u32(0x10000).u32(0x10000).u32(0).u32(0x5f0f3cf5).u16(3).u16(UNITS_PER_EM);
  head.i64(CREATED).i64(CREATED).i16(xMin).i16(yMin).i16(xMax).i16(yMax).u16(0).u16(8).i16(2).i16(1).i16(0);
  const hhea = new Bytes().u32(0x10000).i16(ASCENT).i16(DESCENT).i16(0).u16(glyph.advance).i16(xMin);
  hhea
    .i16(glyph.advance - xMax)
    .i16(xMax)
    .i16(1)
    .i16(0)
    .i16(0)
    .bytes(Buffer.alloc(8))
    .i16(0)
    .u16(2);
  const maxp = new Bytes().u32(0x10000).u16(2).u16(points).u16(glyph.outlines.length);
  for (const limit of [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0]) maxp.u16(limit);
  return new Map([
    ['OS/2', os2Table(glyph)],
    ['cmap', characterMap(glyph.codePoint)],
    ['glyf', data],
    ['head', head.done()],
    ['hhea', hhea.done()],
    // The first glyph is the empty one that every font has for characters it does not know.
    ['hmtx', new Bytes().u16(500).i16(0).u16(glyph.advance).i16(xMin).done()],
    ['loca', new Bytes().u32(0).u32(0).u32(data.length).done()],
    ['maxp', maxp.done()],
    ['name', nameTable(family)],
    ['post', new Bytes().u32(0x30000).u32(0).i16(-100).i16(50).bytes(Buffer.alloc(20)).done()],
  ]);
}

const padded = (data: Buffer) => Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);

function checksum(data: Buffer): number {
  const whole = padded(data);
  let sum = 0;
  for (let at = 0; at < whole.length; at += 4) sum = (sum + whole.readUInt32BE(at)) >>> 0;
  return sum;
}

/** A TrueType font of one glyph, as the OpenType specification lays it out. */
export function trueTypeFont(family: string, glyph: Glyph): Buffer {
  const tables = tablesOf(family, glyph);
  const directory = new Bytes()
    .u32(0x10000)
    .u16(tables.size)
    .u16(128)
    .u16(3)
    .u16(tables.size * 16 - 128);
  let offset = 12 + 16 * tables.size;
  let headAt = 0;
  for (const [tag, data] of tables) {
    if (tag === 'head') headAt = offset;
    directory.bytes(Buffer.from(tag)).u32(checksum(data)).u32(offset).u32(data.length);
    offset += padded(data).length;
  }
  const font = Buffer.concat([directory.done(), ...[...tables.values()].map(padded)]);
  font.writeUInt32BE((0xb1b0afba - checksum(font)) >>> 0, headAt + 8);
  return font;
}
