import { writeFileSync } from 'node:fs';
import { type Point, trueTypeFont } from './truetype.ts';

const TAKA_SIGN = 0x09f3;
/** Half of the stroke's width, in font units. */
const HALF = 40;
const STEPS = 24;

type Curve = readonly [Point, Point, Point, Point];
const at = (x: number, y: number): Point => ({ x, y });

/** The centre of the stem: a hook at the top, down, and round to the right. */
const STEM: readonly Curve[] = [
  [at(60, 590), at(70, 670), at(120, 700), at(165, 690)],
  [at(165, 690), at(230, 675), at(232, 600), at(232, 520)],
  [at(232, 520), at(232, 420), at(232, 320), at(232, 220)],
  [at(232, 220), at(232, 90), at(300, 35), at(385, 35)],
  [at(385, 35), at(480, 35), at(530, 120), at(522, 225)],
];
const BAR: Curve = [at(70, 415), at(200, 415), at(330, 415), at(455, 415)];
const DOT = { centre: at(500, 235), radius: 62 };

function pointOn([a, b, c, d]: Curve, t: number): Point {
  const s = 1 - t;
  const mix = (p: number, q: number, r: number, u: number) =>
    s * s * s * p + 3 * s * s * t * q + 3 * s * t * t * r + t * t * t * u;
  return at(mix(a.x, b.x, c.x, d.x), mix(a.y, b.y, c.y, d.y));
}

const rounded = ({ x, y }: Point) => at(Math.round(x), Math.round(y));

/** The outline of a stroke along `curves`: out on its left, back on its right, which is clockwise. */
function stroke(curves: readonly Curve[]): Point[] {
  const centre = curves.flatMap((curve, index) =>
    Array.from({ length: STEPS + 1 }, (_, step) => pointOn(curve, step / STEPS)).slice(index === 0 ? 0 : 1),
  );
  const sides = centre.map((point, index) => {
    const before = centre[index - 1] ?? point;
    const after = centre[index + 1] ?? point;
    const length = Math.hypot(after.x - before.x, after.y - before.y);
    return { point, across: at((-(after.y - before.y) / length) * HALF, ((after.x - before.x) / length) * HALF) };
  });
  const left = sides.map(({ point, across }) => at(point.x + across.x, point.y + across.y));
  const right = sides.map(({ point, across }) => at(point.x - across.x, point.y - across.y)).reverse();
  return [...left, ...right].map(rounded);
}

function disc({ centre, radius }: typeof DOT): Point[] {
  return Array.from({ length: 32 }, (_, step) => {
    const angle = (-step / 32) * 2 * Math.PI;
    return rounded(at(centre.x + radius * Math.cos(angle), centre.y + radius * Math.sin(angle)));
  });
}

/** The taka sign for screens whose fonts have none, which would show a box before every price. */
export function takaFont(): Buffer {
  const outlines = [stroke(STEM), stroke([BAR]), disc(DOT)];
  return trueTypeFont('Micro Center Taka', { codePoint: TAKA_SIGN, advance: 620, outlines });
}

export const FONT_FILE = new URL('../../web/src/app/taka.ttf', import.meta.url);

if (process.argv[1] === import.meta.filename) writeFileSync(FONT_FILE, takaFont());
