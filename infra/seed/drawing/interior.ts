import { circle, fan, rect, rects, shade, slots, stroke, times } from './ink.ts';
import { solid } from './solids.ts';
import { type Block, type Point3, short, type View } from './view.ts';

/** What is mounted behind the glass: an empty casing shows its tray, a build shows its parts. */
export interface Interior {
  cooler?: 'liquid' | 'tower';
  /** graphics cards */
  cards?: 1 | 2;
  /** the colour of tray and shroud */
  metal?: string;
  /** the colour of board, cards and coolers */
  parts?: string;
  /** draws fans standing along the far wall, front end, as showcase casings mount them */
  sideFans?: number;
  /** fans behind the front panel, seen from behind */
  frontFans?: number;
  /** leaves out the power supply's shroud */
  noShroud?: boolean;
}

/** Draws what one sees through the window of a casing's main chamber. The caller clips it to the panes. */
export function drawInterior(view: View, chamber: Block, interior: Interior, accent: string): string {
  const { metal = '#232831', parts = '#2b313b' } = interior;
  const [x, y, z] = chamber.at;
  const [w, d, h] = chamber.size;
  const shroud = interior.noShroud ? 8 : h * 0.21;
  const room: Block = { at: [x, y, z + shroud], size: [w, d, h - shroud] };
  // Seen from above, what stands deep inside would vanish behind the casing's roof: it is mounted lower.
  const mounts: Block = { at: room.at, size: [w, d, h - shroud - w * 0.15] };
  const k = Math.min(d / 420, mounts.size[2] / 330);
  const wall = rect(0, 0, d, h - shroud, 'url(#fall)');
  return [
    solid(view, [x + w, y, z], [2, d, h], shade(metal, -0.35)),
    view.plane([x + w, y + d, z + h], [0, -1, 0], [0, 0, -1], wall),
    tray(view, mounts, metal, accent, k, Boolean(interior.cooler)),
    endWall(view, room, h - shroud - mounts.size[2], metal, k, interior),
    solid(view, [x, y, z], [w, d, shroud], metal),
    shroudArtwork(view, chamber, shroud, accent, interior),
    interior.sideFans ? sideFans(view, mounts, interior.sideFans) : '',
    interior.cooler ? mountedParts(view, mounts, interior, parts, accent, k) : '',
  ].join('');
}

/** The wall that carries the board: cable openings, and the board itself in a build. */
function tray(
  view: View,
  { at: [x, y, z], size: [w, d, h] }: Block,
  metal: string,
  accent: string,
  k: number,
  built: boolean,
) {
  const opening = (u: number, v: number, width: number, height: number) =>
    rect(u, v, width, height, '#0a0c10', `rx="${Math.min(width, height) / 2}"`);
  const board = rect(14, 16 * k, 246 * k, 300 * k, built ? '#12161c' : shade(metal, 0.08), 'rx="3"');
  const openings = times(3, (index) => opening(285 * k, (40 + index * 90) * k, 16 * k, 62 * k));
  const standOffs = times(9, (index) =>
    circle(28 + (index % 3) * 108 * k, (32 + Math.floor(index / 3) * 130) * k, 3.5 * k, '#8d96a4'),
  );
  const cutOut = rect(70 * k, 48 * k, 120 * k, 110 * k, '#0d1015', `rx="${10 * k}"`);
  const artwork = built ? board + boardArtwork(accent, k) : board + cutOut + standOffs;
  return view.plane([x + w, y + d, z + h], [0, -1, 0], [0, 0, -1], artwork + openings);
}

/** Heat sinks, a slot and the main power cable of a board. */
function boardArtwork(accent: string, k: number): string {
  const sink = (u: number, v: number, w: number, h: number) => rect(u, v, w, h, '#4a525f', 'rx="4"');
  const cables = [0, 1, 2].map((index) => {
    const v = 128 + index * 9;
    return stroke(`M258 ${v}C285 ${v} 272 ${v + 46} 298 ${v + 48}`, index % 2 ? '#d6dbe2' : accent, 6);
  });
  const sinks = sink(4, 20, 40, 118) + sink(50, 22, 100, 24) + sink(4, 186, 200, 16) + sink(150, 262, 82, 46);
  return `<g transform="translate(14) scale(${short(k, 3)})">${sinks}${rect(158, 278, 50, 5, accent)}${cables.join('')}</g>`;
}

/** The end of the chamber that the view looks towards: the rear wall with its fan, or the front with its fans. */
function endWall(
  view: View,
  { at: [x, y, z], size: [w, d, h] }: Block,
  lowered: number,
  metal: string,
  k: number,
  interior: Interior,
): string {
  const wall = rect(0, 0, w, h, shade(metal, -0.25));
  if (view.seen[0] === 'front') {
    const size = Math.min(120 * k, w - 20);
    const slotsOfCards = rects(
      [0, 1, 2, 3, 4].map((index) => [w * 0.2, h * 0.56 + index * 20 * k, w * 0.7, 13 * k]),
      shade(metal, 0.18),
    );
    return view.plane(
      [x, y + d, z + h],
      [1, 0, 0],
      [0, 0, -1],
      wall + fan(w / 2, size / 2 + lowered + 6 * k, size) + slotsOfCards,
    );
  }
  const count = interior.frontFans ?? 0;
  const step = (h - lowered) / Math.max(count, 1);
  const size = Math.min(w - 12, step - 3);
  const fans = times(count, (index) => fan(w / 2, lowered + step * (index + 0.5), size));
  return view.plane([x + w, y, z + h], [-1, 0, 0], [0, 0, -1], wall + fans);
}

function shroudArtwork(
  view: View,
  { at: [x, y, z], size: [, d] }: Block,
  height: number,
  accent: string,
  interior: Interior,
) {
  if (interior.noShroud) return '';
  const vents = rects(
    [0, 1, 2, 3].map((index) => [d * 0.1 + index * 26, height * 0.28, 14, height * 0.44]),
    '#0a0c10',
  );
  const line = rect(d * 0.5, height * 0.66, d * 0.42, 3.5, accent, 'rx="1.7"');
  return view.plane([x, y + d, z + height], [0, -1, 0], [0, 0, -1], vents + line);
}

function sideFans(view: View, { at: [x, y, z], size: [w, , h] }: Block, count: number): string {
  const size = Math.min(120, (h - 12) / count - 4);
  const column = times(count, (index) => fan(0, size / 2 + index * (size + 4), size));
  return view.plane([x + w - 12, y + size / 2 + 14, z + h - 10], [0, -1, 0], [0, 0, -1], column);
}

function mountedParts(view: View, room: Block, interior: Interior, colour: string, accent: string, k: number): string {
  const {
    at: [x, y, z],
    size: [w, d, h],
  } = room;
  const wall = x + w;
  const rear = y + d;
  const depth = Math.min(w - 18, 140 * k);
  const memory = [0, 1].map((index) => {
    const at: Point3 = [wall - 46 * k, rear - (196 + index * 18) * k, z + h - 172 * k];
    const light = solid(view, [at[0] - 7 * k, at[1], at[2]], [7 * k, 7 * k, 128 * k], shade(accent, 0.3));
    return solid(view, at, [44 * k, 7 * k, 128 * k], shade(colour, -0.35)) + light;
  });
  const cooler =
    interior.cooler === 'liquid'
      ? pump(view, wall, rear, z + h, accent, k)
      : towerCooler(view, wall, rear, z + h, depth, colour, k);
  const cards = times(interior.cards ?? 0, (index) =>
    graphicsCard(
      view,
      [wall - depth, rear - 302 * k, z + h - (252 + index * 88) * k],
      [depth - 6, 290 * k, 46 * k],
      colour,
      accent,
    ),
  );
  // A lower card hides behind none above it, so the lowest is drawn first.
  const radiator =
    interior.cooler === 'liquid'
      ? solid(view, [x + 14, rear - 330 * k, z + h - 26 * k], [w * 0.8, 300 * k, 22 * k], shade(colour, -0.2))
      : '';
  return radiator + memory.join('') + cooler + cards;
}

/** A liquid cooler's round pump head and its two hoses up to the radiator. */
function pump(view: View, wall: number, rear: number, top: number, accent: string, k: number): string {
  const hose = (shift: number) =>
    stroke(`M${20 + shift}-10C${70 + shift}-34 ${60 + shift}-78 ${108 + shift}-96`, '#14171d', 11);
  const head =
    circle(0, 0, 37, '#1b1f27') +
    circle(0, 0, 31, '#0c0e13', 'stroke="url(#light)" stroke-width="4"') +
    circle(0, 0, 18, 'url(#glow)');
  const layer = (out: number, artwork: string) =>
    view.plane([wall - out * k, rear - 136 * k, top - 104 * k], [0, -k, 0], [0, 0, -k], artwork);
  return layer(30, hose(0) + hose(22)) + layer(28, circle(0, 0, 38, shade(accent, -0.6))) + layer(52, head);
}

/** A tower cooler: a finned block with its fan towards the front. */
function towerCooler(
  view: View,
  wall: number,
  rear: number,
  top: number,
  depth: number,
  colour: string,
  k: number,
): string {
  const at: Point3 = [wall - depth, rear - 165 * k, top - 172 * k];
  const fins = slots(3, 8, 46 * k, 118 * k);
  const block = solid(view, at, [depth - 10, 52 * k, 136 * k], shade(colour, 0.35));
  const side = view.plane([at[0], at[1] + 52 * k, at[2] + 136 * k], [0, -1, 0], [0, 0, -1], fins);
  const blower = solid(view, [at[0], at[1] - 26 * k, at[2]], [depth - 10, 25 * k, 126 * k], '#15181e');
  const face = view.plane(
    [at[0], at[1] - 26 * k, at[2] + 126 * k],
    [1, 0, 0],
    [0, 0, -1],
    fan((depth - 10) / 2, 63 * k, Math.min(depth - 12, 122 * k)),
  );
  return block + side + blower + (view.seen[0] === 'front' ? face : '');
}

function graphicsCard(view: View, at: Point3, size: Point3, colour: string, accent: string): string {
  const [, length, height] = size;
  const trim = [
    rect(length * 0.06, height * 0.2, length * 0.3, height * 0.14, accent, `rx="2"`),
    rect(length * 0.42, height * 0.2, length * 0.5, height * 0.14, '#fff', 'rx="2" opacity=".25"'),
    rect(length * 0.06, height * 0.55, length * 0.86, height * 0.28, '#000', 'rx="3" opacity=".4"'),
    rect(length * 0.66, height * 0.04, length * 0.1, height * 0.12, '#0a0c10'),
  ].join('');
  return (
    solid(view, at, size, shade(colour, 0.1)) +
    view.plane([at[0], at[1] + length, at[2] + height], [0, -1, 0], [0, 0, -1], trim)
  );
}
