/** A point of the scene in millimetres: x to the casing's right, y to its rear, z up. */
export type Point3 = readonly [number, number, number];

export type Face = 'front' | 'rear' | 'left' | 'right' | 'top';

/** A block whose lower front left corner is `at`. */
export interface Block {
  at: Point3;
  size: Point3;
}

/** An orthographic view of the scene on the drawing's canvas. */
export interface View {
  /** Screen position of a point. */
  point(p: Point3): readonly [number, number];
  /** The `points` attribute of a polygon through these points. */
  points(corners: readonly Point3[]): string;
  /** Path data of the parallelogram that two edges span from a corner. */
  parallelogram(corner: Point3, edge1: Point3, edge2: Point3): string;
  /** Path data of a straight line. */
  line(from: Point3, to: Point3): string;
  /** Millimetres along `u` and `v` from `origin`, drawn as flat artwork lying in that plane. */
  plane(origin: Point3, u: Point3, v: Point3, artwork: string): string;
  /** The faces of an upright block that this view can see, the top last. */
  seen: readonly Face[];
}

export interface Placement {
  /** Degrees: 0 looks at the front, 90 at the left side, 180 at the rear. */
  azimuth: number;
  /** Degrees above the horizon. */
  elevation?: number;
  /** Pixels per millimetre. */
  scale: number;
  /** Where the scene's origin lies on the canvas. */
  origin: readonly [number, number];
}

/** A number as short as the eye allows. */
export function short(value: number, digits = 1): string {
  return String(Number(value.toFixed(digits)));
}

export function createView({ azimuth, elevation = 15, scale, origin }: Placement): View {
  const a = (azimuth * Math.PI) / 180;
  const e = (elevation * Math.PI) / 180;
  const across = ([x, y]: Point3) => scale * (x * Math.cos(a) - y * Math.sin(a));
  const down = ([x, y, z]: Point3) => -scale * (Math.sin(e) * (x * Math.sin(a) + y * Math.cos(a)) + Math.cos(e) * z);
  const point = (p: Point3) => [origin[0] + across(p), origin[1] + down(p)] as const;
  const pair = (x: number, y: number) => `${short(x)} ${short(y)}`.replace(' -', '-');
  const turn = (vector: Point3) => [across(vector), down(vector)] as const;
  return {
    point,
    parallelogram(corner, edge1, edge2) {
      const [[x1, y1], [x2, y2]] = [turn(edge1), turn(edge2)];
      return `M${pair(...point(corner))}l${pair(x1, y1)} ${pair(x2, y2)} ${pair(-x1, -y1)}z`.replaceAll(' -', '-');
    },
    line: (from, to) => `M${pair(...point(from))}L${pair(...point(to))}`,
    points: (corners) =>
      corners
        .map(point)
        .map(([x, y]) => `${short(x)},${short(y)}`)
        .join(' '),
    plane(at, u, v, artwork) {
      const linear = [across(u), down(u), across(v), down(v)].map((value) => short(value, 3));
      const shift = point(at).map((value) => short(value));
      return `<g transform="matrix(${[...linear, ...shift].join(' ')})">${artwork}</g>`;
    },
    seen: [Math.cos(a) >= 0 ? 'front' : 'rear', Math.sin(a) >= 0 ? 'left' : 'right', 'top'],
  };
}

/** Finds the placement that centres a block on the canvas, standing on `ground` (pixels from the top). */
export function placeOn(
  canvas: { width: number; ground: number; fitWidth: number; fitHeight: number },
  block: Block,
  azimuth: number,
  elevation = 15,
): Placement {
  const trial = createView({ azimuth, elevation, scale: 1, origin: [0, 0] });
  const corners = cornersOf(block).map(trial.point);
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.min(canvas.fitWidth / (right - left), canvas.fitHeight / (bottom - top));
  const origin = [canvas.width / 2 - (scale * (left + right)) / 2, canvas.ground - scale * bottom] as const;
  return { azimuth, elevation, scale, origin };
}

function cornersOf({ at: [x, y, z], size: [w, d, h] }: Block): Point3[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => [
    x + (bits & 1 ? w : 0),
    y + (bits & 2 ? d : 0),
    z + (bits & 4 ? h : 0),
  ]);
}

/** Width and height of a face in millimetres. */
export function faceSize({ size: [w, d, h] }: Block, face: Face): readonly [number, number] {
  if (face === 'top') return [w, d];
  return face === 'left' || face === 'right' ? [d, h] : [w, h];
}

/** Lays flat artwork on a face of a block: u to the right, v down, as one sees the face from outside. */
export function onFace(view: View, { at: [x, y, z], size: [w, d, h] }: Block, face: Face, artwork: string): string {
  const down: Point3 = [0, 0, -1];
  switch (face) {
    case 'front':
      return view.plane([x, y, z + h], [1, 0, 0], down, artwork);
    case 'rear':
      return view.plane([x + w, y + d, z + h], [-1, 0, 0], down, artwork);
    case 'left':
      return view.plane([x, y + d, z + h], [0, -1, 0], down, artwork);
    case 'right':
      return view.plane([x + w, y, z + h], [0, 1, 0], down, artwork);
    case 'top':
      return view.plane([x, y + d, z + h], [1, 0, 0], [0, -1, 0], artwork);
  }
}
