import { circle, fan, mesh, path, rect, rects, shade, slatPattern, stroke, times } from './ink.ts';
import { short } from './view.ts';

/** Power button with its light, two USB ports and an audio jack, along a line from (x, y) to the right. */
export function frontPorts(x: number, y: number, accent: string, scale = 1): string {
  const port = (at: number, colour: string) =>
    rect(x + at * scale, y - 3 * scale, 15 * scale, 6 * scale, '#07090c', `rx="1" stroke="${colour}" stroke-width="1"`);
  return `${circle(x, y, 7 * scale, '#171b22', `stroke="${accent}" stroke-width="${2 * scale}"`)}${port(18, '#7d8798')}${port(40, '#7d8798')}${circle(x + 66 * scale, y, 3 * scale, '#07090c', 'stroke="#7d8798"')}`;
}

/** Fans one above the other behind a sheet of mesh, `margin` from the front's edges. */
export function meshFront(w: number, h: number, count: number, body: string, margin = 12): string {
  const height = h - margin * 2;
  const size = Math.min(w - margin * 2 - 6, height / count - 4);
  const step = height / count;
  const fans = times(count, (index) => fan(w / 2, margin + step * (index + 0.5), size));
  return `${rect(margin, margin, w - margin * 2, height, '#0a0c10', 'rx="8"')}${fans}<g opacity=".72">${mesh(margin, margin, w - margin * 2, height, 8)}</g>${rect(margin, margin, w - margin * 2, height, 'none', `rx="8" stroke="${shade(body, 0.3)}" stroke-width="2"`)}`;
}

/** A drive bay's cover of the given height. */
export function bay(x: number, y: number, w: number, h: number, colour: string): string {
  return `${rect(x, y, w, h, shade(colour, 0.06), `rx="2" stroke="${shade(colour, -0.35)}" stroke-width="1.2"`)}${rect(x + 2, y + 1.5, w - 4, 2, '#fff', 'opacity=".28"')}`;
}

/** An optical drive: tray line, button and a light. */
export function opticalDrive(x: number, y: number, w: number, colour: string): string {
  return `${bay(x, y, w, 42, colour)}${rect(x + 8, y + 9, w - 16, 12, shade(colour, -0.12), `rx="2" stroke="${shade(colour, -0.4)}"`)}${rect(x + w - 30, y + 28, 18, 6, shade(colour, -0.25), 'rx="2"')}${circle(x + w - 40, y + 31, 2.4, '#58d68d')}`;
}

/** A 3.5-inch floppy drive: slot, eject button and a light. */
export function floppyDrive(x: number, y: number, w: number, colour: string): string {
  return `${bay(x, y, w, 28, colour)}${rect(x + 14, y + 10, w - 28, 5, '#2a2721', 'rx="2"')}${rect(x + w - 38, y + 18, 18, 6, shade(colour, -0.25), 'rx="1"')}${rect(x + 20, y + 19, 10, 3, '#7bc96f')}`;
}

/** Upright slats, of wood or metal, each with a lit edge. */
export function slats(
  x: number,
  y: number,
  w: number,
  h: number,
  count: number,
  colours: readonly string[],
  gap = 0.3,
) {
  const id = `slats${Math.round(w)}${colours.join('').replaceAll('#', '')}`;
  const artwork = slatPattern(id, w / count, colours, gap) + rect(0, 0, w, h, `url(#${id})`, 'rx="3"');
  return `<g transform="translate(${x} ${y})">${artwork}</g>`;
}

/** The rear: connector shield, exhaust fan, expansion slots and the power supply below. */
export function rearPanel(w: number, h: number, body: string, offset = 0): string {
  const k = Math.min(h / 450, (w - offset - 24) / 190);
  const inner = (w - offset - 24) / k;
  const bottom = h / k - 106;
  const port = (column: number, row: number, width = 15) => [6 + column * 22, 32 + row * 17, width, 11] as const;
  const jacks = [0, 1, 2, 3].map((index) =>
    circle(
      12 + (index % 2) * 20,
      146 + Math.floor(index / 2) * 16,
      5,
      '#14171c',
      'stroke="#c9a227" stroke-width="1.5"',
    ),
  );
  const size = Math.min(inner - 60, 124);
  const cards = Math.max(2, Math.min(6, Math.floor((bottom - 188) / 20)));
  const rows = Array.from({ length: cards }, (_, index) => 190 + index * 20);
  const artwork = [
    rect(0, 24, 52, 150, '#9aa3b0', 'rx="2"'),
    rects([port(0, 0), port(1, 0)], '#3b82c4'),
    rects([port(0, 2), port(1, 2)], '#c0392b'),
    rects([port(0, 1), port(1, 1), port(0, 4, 30), port(0, 5, 26)], '#1a1d23'),
    jacks.join(''),
    fan(inner - size / 2 - 2, 32 + size / 2, size),
    rects(
      rows.map((y) => [4, y, inner - 40, 13]),
      shade(body, 0.2),
    ),
    rects(
      rows.map((y) => [20, y + 3, inner - 90, 7]),
      'url(#slots)',
    ),
    rect(0, bottom, inner, 86, '#1b1f26', 'rx="3"'),
    mesh(inner * 0.36, bottom + 8, inner * 0.6, 70),
    rect(10, bottom + 16, 34, 26, '#07090c', 'rx="4" stroke="#6b7482"'),
    rect(16, bottom + 54, 22, 14, '#07090c', 'rx="2" stroke="#b23b34"'),
  ];
  return `<g transform="translate(${offset + 12}) scale(${short(k, 3)})">${artwork.join('')}</g>`;
}

/** A removable dust filter or vent in the top. */
export function topVent(w: number, d: number, from = 0.12, to = 0.78): string {
  return mesh(w * 0.14, d * (1 - to) - d * 0.06, w * 0.72, d * (to - from), 8);
}

/** Two broken streaks of reflected light across a pane. */
export function reflections(w: number, h: number): string {
  const streak = (left: number, width: number, opacity: number) =>
    path(
      `M${Math.round(w * left)} 0h${Math.round(w * width)}L${Math.round(w * (left + width) - h * 0.55)} ${Math.round(h)}h${-Math.round(w * width)}Z`,
      '#fff',
      `opacity="${opacity}"`,
    );
  return streak(0.62, 0.16, 0.1) + streak(0.84, 0.05, 0.08);
}

/** A grip or a seam: a thin dark line with a light one below. */
export function seam(x1: number, x2: number, y: number): string {
  return (
    stroke(`M${x1} ${y}H${x2}`, '#000', 1.6, 'opacity=".45"') +
    stroke(`M${x1} ${y + 1.6}H${x2}`, '#fff', 1, 'opacity=".2"')
  );
}
