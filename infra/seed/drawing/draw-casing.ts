import { definitions, type Light, rect, stroke } from './ink.ts';
import { drawInterior, type Interior } from './interior.ts';
import { rearPanel, reflections, topVent } from './panels.ts';
import { shell, solid } from './solids.ts';
import { type Block, createView, type Face, onFace, type Placement, type Point3, placeOn, type View } from './view.ts';

type Artwork = (w: number, h: number) => string;

/** What a casing looks like. Lengths in millimetres. */
export interface Casing {
  size: Point3;
  body: string;
  light?: Light;
  blades?: string;
  front: Artwork;
  left?: Artwork;
  rear?: Artwork;
  top?: Artwork;
  /** glass on the left side, or on the left side and around the corner to the front */
  glass?: 'left' | 'corner';
  /** width of the chamber behind the glass; the whole casing but its cable room when absent */
  chamber?: number;
  interior?: Interior;
  feet?: number;
  /** degrees that the first picture is turned by, see `Placement` */
  turned?: number;
  /** part of the canvas that the casing fills, up to 1 */
  fills?: number;
  /** drawn in place of a closed body */
  skeleton?: (view: View, block: Block) => string;
  /** drawn after the casing, in front of it */
  before?: (view: View, block: Block) => string;
}

const CANVAS = { width: 800, height: 600, ground: 562, fitWidth: 690, fitHeight: 526 };

/** A product picture, 4:3: from the front left, or from the rear left. */
export function drawPicture(casing: Casing, from: 'front' | 'rear'): string {
  const fills = casing.fills ?? 1;
  const turned = casing.turned ?? 43;
  const canvas = { ...CANVAS, fitWidth: CANVAS.fitWidth * fills, fitHeight: CANVAS.fitHeight * fills };
  canvas.ground -= (1 - fills) * 120;
  const placement = placeOn(canvas, bodyOf(casing), from === 'front' ? turned : 180 - turned);
  const { body, light, blades } = casing;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${CANVAS.width} ${CANVAS.height}"><title>The ${from} and the left side</title><defs>${definitions(body, light, blades)}${halo(light)}</defs><ellipse cx="400" cy="300" rx="390" ry="295" fill="url(#halo)"/>${drawCasing(casing, placement)}</svg>\n`;
}

/** A faint light behind the casing: it parts dark bodies from a dark page and is hardly seen on a white one. */
function halo(light: Light | undefined): string {
  const colour = light?.from ?? '#8fa3bf';
  return `<radialGradient id="halo"><stop stop-color="${colour}" stop-opacity=".3"/><stop offset=".55" stop-color="${colour}" stop-opacity=".13"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`;
}

function bodyOf({ size, feet = 14 }: Casing): Block {
  return { at: [0, 0, feet], size };
}

/** One casing with its shadow, without the definitions it refers to; `name` sets its clip path apart from others'. */
export function drawCasing(casing: Casing, placement: Placement, name = 'panes'): string {
  const view = createView(placement);
  const block = bodyOf(casing);
  const { body, feet = 14 } = casing;
  const [w, d] = casing.size;
  const stands: Point3[] = [
    [14, d - 50, 0],
    [w - 40, 22, 0],
    [14, 22, 0],
  ];
  const rear = (width: number, height: number) => rearPanel(width, height, body);
  const artwork = { front: casing.front, left: casing.left, rear: casing.rear ?? rear, top: casing.top ?? topVent };
  return [
    shadow(view, casing.size),
    feet > 0 ? stands.map((at) => solid(view, at, [26, 28, feet], '#15181d')).join('') : '',
    casing.skeleton?.(view, block) ?? shell(view, block, body, artwork),
    casing.glass ? windows(view, casing, block, name) : '',
    casing.before?.(view, block) ?? '',
  ].join('');
}

function shadow(view: View, [w, d]: Point3): string {
  const footprint: Point3[] = [
    [-8, -10, 0],
    [w + 26, -10, 0],
    [w + 26, d + 12, 0],
    [-8, d + 12, 0],
  ];
  return `<polygon points="${view.points(footprint)}" opacity=".5" filter="url(#soft)"/>`;
}

/** The panes of glass and, clipped to them, what lies behind. */
function windows(view: View, casing: Casing, block: Block, name: string): string {
  const [w, d, h] = casing.size;
  const [x, y, z] = block.at;
  const rim = 9;
  const corner = casing.glass === 'corner';
  const chamberWidth = casing.chamber ?? w - 26;
  const [low, high] = [z + rim, z + h - rim];
  const nearEnd = corner ? y : y + rim;
  const left: Point3[] = [
    [x, nearEnd, low],
    [x, y + d - rim, low],
    [x, y + d - rim, high],
    [x, nearEnd, high],
  ];
  const front: Point3[] = [
    [x, y, low],
    [x + chamberWidth, y, low],
    [x + chamberWidth, y, high],
    [x, y, high],
  ];
  const panes = corner && view.seen[0] === 'front' ? [left, front] : [left];
  const shape = panes.map((pane) => `<polygon points="${view.points(pane)}"/>`).join('');
  const chamber: Block = { at: [x + 3, y + 4, low - 2], size: [chamberWidth - 6, d - 8, high - low + 2] };
  const inside = drawInterior(view, chamber, casing.interior ?? {}, casing.light?.from ?? '#7d8798');
  const shine = (face: Face, width: number) =>
    onFace(
      view,
      { at: [x, y, low], size: [width, d, high - low] },
      face,
      glassShine(face === 'left' ? d : width, high - low),
    );
  const shining = `${shine('left', w)}${panes.length > 1 ? shine('front', chamberWidth) : ''}`;
  return `<clipPath id="${name}">${shape}</clipPath><g clip-path="url(#${name})"><rect width="100%" height="100%" fill="#0b0d12"/>${inside}${shining}</g>${shape.replaceAll('/>', ' fill="none" stroke="#000" stroke-opacity=".5" stroke-width="1.5"/>')}`;
}

function glassShine(w: number, h: number): string {
  return `${rect(0, 0, w, h, 'url(#pane)')}${reflections(w, h)}${stroke(`M1 0V${h}`, '#fff', 1.5, 'opacity=".25"')}`;
}
