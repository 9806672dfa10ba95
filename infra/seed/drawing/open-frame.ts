import { fan, mesh, rect, shade, times } from './ink.ts';
import { solid } from './solids.ts';
import type { Block, Point3, View } from './view.ts';

/** Millimetres of a rail's thickness. */
const RAIL = 16;

/** A casing without walls: aluminium rails, a plate for the board, fans on a bracket and two panes of glass. */
export function drawOpenFrame(
  view: View,
  { at: [x, y, z], size: [w, d, h] }: Block,
  metal: string,
  accent: string,
): string {
  const post = (px: number, py: number) => solid(view, [px, py, z], [RAIL, RAIL, h], metal);
  const beam = (px: number, pz: number) => solid(view, [px, y, pz], [RAIL, d, RAIL], metal);
  const cross = (py: number, pz: number) => solid(view, [x, py, pz], [w, RAIL, RAIL], metal);
  const [far, near] = view.seen[0] === 'front' ? [y + d - RAIL, y] : [y, y + d - RAIL];
  const top = z + h - RAIL;
  const right = x + w - RAIL;
  return [
    cross(far, z),
    post(right, far),
    beam(right, z),
    fanBracket(view, right, y, z, h),
    plate(view, [x + w * 0.55, y, z], d, h, accent),
    solid(view, [x + RAIL, y + d * 0.42, z + RAIL], [w * 0.5, d * 0.36, 86], '#1d2128'),
    post(right, near),
    beam(x, z),
    post(x, far),
    cross(near, z),
    cross(far, top),
    beam(right, top),
    pane(view, [x, y, z + RAIL], d, h - 2 * RAIL, accent),
    cross(near, top),
    beam(x, top),
    post(x, near),
  ].join('');
}

function fanBracket(view: View, x: number, y: number, z: number, h: number): string {
  const fans = times(3, (index) => fan(0, index * 132, 122));
  return view.plane([x, y + 86, z + h - 92], [0, -1, 0], [0, 0, -1], fans);
}

/** The upright plate in the middle: where the board goes, and openings for cables. */
function plate(view: View, [x, y, z]: Point3, d: number, h: number, accent: string): string {
  const artwork = [
    rect(0, 0, 290, h - 60, '#2b313b', 'rx="10"'),
    rect(18, 22, 252, 300, '#383f4b', 'rx="5"'),
    rect(74, 56, 120, 108, '#0f1217', 'rx="12"'),
    times(6, (index) => rect(30 + (index % 2) * 222, 34 + Math.floor(index / 2) * 136, 7, 7, '#c2cad6', 'rx="3.5"')),
    mesh(26, 334, 236, h - 412, 6),
    rect(0, 0, 290, 4, accent, 'rx="2"'),
  ].join('');
  return (
    view.plane([x, y + d - 24, z + h - 30], [0, -1, 0], [0, 0, -1], artwork) +
    solid(view, [x, y + 108, z + 30], [6, 8, h - 60], shade('#2b313b', 0.3))
  );
}

function pane(view: View, [x, y, z]: Point3, d: number, h: number, accent: string): string {
  const glass = `${rect(30, 26, d - 60, h - 52, '#9fb4cf', 'rx="14" opacity=".16"')}${rect(30, 26, d - 60, h - 52, 'url(#pane)', 'rx="14" stroke="#fff" stroke-opacity=".55" stroke-width="1.5"')}`;
  const screw = (u: number, v: number) => rect(u - 7, v - 7, 14, 14, accent, 'rx="7"');
  const screws = [30, d - 30].map((u) =>
    [26, h - 26].map((v) => screw(u + (u < d / 2 ? 16 : -16), v + (v < h / 2 ? 16 : -16))).join(''),
  );
  return view.plane([x, y + d, z + h], [0, -1, 0], [0, 0, -1], glass + screws.join(''));
}
