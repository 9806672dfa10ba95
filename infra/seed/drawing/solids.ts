import { rect, shade } from './ink.ts';
import { type Block, type Face, faceSize, onFace, type Point3, type View } from './view.ts';

/** Light falls from above and from the front right. */
const TONES: Record<Face, number> = { top: 0.2, front: 0.05, left: -0.1, right: -0.14, rear: -0.2 };

/** The colour of a body's face under the set's one light. */
export function tone(colour: string, face: Face): string {
  return shade(colour, TONES[face]);
}

/** A plain block, three faces, for parts that need no artwork. */
export function solid(view: View, [x, y, z]: Point3, [w, d, h]: Point3, colour: string): string {
  const across: Point3 = [w, 0, 0];
  const deep: Point3 = [0, d, 0];
  const up: Point3 = [0, 0, h];
  const sides: Record<Face, readonly [Point3, Point3, Point3]> = {
    front: [[x, y, z], across, up],
    rear: [[x, y + d, z], across, up],
    left: [[x, y, z], deep, up],
    right: [[x + w, y, z], deep, up],
    top: [[x, y, z + h], across, deep],
  };
  const faces = view.seen.map(
    (face) => `<path d="${view.parallelogram(...sides[face])}" fill="${tone(colour, face)}"/>`,
  );
  const side = view.seen[1] === 'left' ? x : x + w;
  const lit = `<path d="${view.line([side, y, z + h], [side, y + d, z + h])}" stroke="#fff" stroke-opacity=".3"/>`;
  return faces.join('') + lit;
}

/** The lit upper edges of a block, which keep dark bodies readable on a dark page. */
export function edge(view: View, { at: [x, y, z], size: [w, d, h] }: Block, strength = 0.3): string {
  const top = z + h;
  const near = view.seen[0] === 'front' ? y : y + d;
  const far = view.seen[0] === 'front' ? y + d : y;
  const [side, other] = view.seen[1] === 'left' ? [x, x + w] : [x + w, x];
  const line = (points: Point3[], opacity: number) =>
    `<polyline points="${view.points(points)}" fill="none" stroke="#fff" stroke-opacity="${Number(opacity.toFixed(2))}" stroke-width="1.3" stroke-linejoin="round"/>`;
  return (
    line(
      [
        [side, far, top],
        [side, near, top],
        [other, near, top],
      ],
      strength,
    ) +
    line(
      [
        [side, near, z],
        [side, near, top],
      ],
      strength * 0.7,
    )
  );
}

/** A block whose faces carry artwork: each face in its tone, the artwork, then the light's fall over it. */
export function shell(
  view: View,
  block: Block,
  colour: string,
  artwork: Partial<Record<Face, (w: number, h: number) => string>>,
  open: readonly Face[] = [],
): string {
  const faces = view.seen.map((face) => {
    const [w, h] = faceSize(block, face);
    const ground = open.includes(face) ? '' : rect(0, 0, w, h, tone(colour, face));
    const fall = open.includes(face) ? '' : rect(0, 0, w, h, 'url(#fall)');
    return onFace(view, block, face, ground + fall + (artwork[face]?.(w, h) ?? ''));
  });
  return faces.join('') + edge(view, block, 0.42);
}
