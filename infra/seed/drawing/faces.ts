import { circle, fan, mesh, path, rect, rects, shade, slots, stroke, times } from './ink.ts';
import { bay, floppyDrive, frontPorts, opticalDrive, slats } from './panels.ts';

export const STEEL = '#7f8997';
export const BEIGE = '#d6c9a8';

/** The rear of a flat casing: connectors, blanking plates, a fan and the power supply's socket. */
export function slimRear(w: number, h: number): string {
  const ports = (from: number, colour: string) =>
    rects(
      [0, 1].flatMap((index) => [0, 1].map((row) => [from + index * 44, h * 0.36 + row * 18, 15, 10] as const)),
      colour,
    );
  const supply = Math.min(92, w * 0.2);
  const room = w - supply - 216;
  const size = Math.min(h * 0.74, room);
  return [
    rect(14, h * 0.26, 106, h * 0.5, '#9aa3b0', 'rx="3"'),
    ports(24, '#3b82c4'),
    ports(46, '#1a1d23'),
    rects(
      [0, 1, 2, 3].map((index) => [134 + index * 15, h * 0.16, 10, h * 0.66]),
      shade(STEEL, 0.1),
    ),
    fan(204 + room / 2, h / 2, size),
    rect(w - supply - 8, h * 0.14, supply, h * 0.72, '#1b1f26', 'rx="3"'),
    mesh(w - supply * 0.55 - 8, h * 0.22, supply * 0.48, h * 0.56),
    rect(w - supply - 3, h * 0.3, supply * 0.3, h * 0.26, '#07090c', 'rx="3" stroke="#6b7482"'),
  ].join('');
}

/** A tower of the nineties: two drives, a floppy, a turbo button and a two-digit clock display. */
export function retroFront(w: number, h: number): string {
  const digit = (x: number) =>
    stroke(`M${x + 13} 242H${x}V272H${x + 13}V257H${x}`, '#6ee787', 3.4, 'stroke-linejoin="round"');
  const button = (x: number, colour: string) =>
    rect(x, 246, 24, 24, colour, `rx="3" stroke="${shade(BEIGE, -0.4)}"`) +
    rect(x + 2, 247, 20, 3, '#fff', 'opacity=".5"');
  return [
    rect(10, 10, w - 20, h - 20, shade(BEIGE, 0.22), `rx="6" stroke="${shade(BEIGE, -0.25)}"`),
    opticalDrive(22, 24, w - 44, BEIGE),
    bay(22, 70, w - 44, 42, BEIGE),
    bay(22, 116, w - 44, 42, BEIGE),
    floppyDrive(30, 172, w - 60, BEIGE),
    rect(26, 234, 52, 46, '#14261a', 'rx="4"'),
    digit(34),
    digit(56),
    button(96, shade(BEIGE, -0.08)),
    button(126, shade(BEIGE, -0.08)),
    circle(166, 252, 4, '#4ade80'),
    circle(166, 266, 4, '#f59e0b'),
    times(9, (index) => rect(26, 306 + index * 11, w - 52, 5, shade(BEIGE, -0.45), 'rx="2.5"')),
  ].join('');
}

/** Twelve drive carriers, one of them warning, beside a fan. */
export function rackFront(w: number, h: number): string {
  const carrier = `<g id="carrier">${bay(0, 0, 62, 43, '#3d444f')}${slots(8, 8, 34, 27)}${circle(53, 12, 3, '#4ade80')}</g>`;
  const place = (index: number) => `${22 + (index % 4) * 66} ${16 + Math.floor(index / 4) * 48}`;
  const carriers = times(11, (index) => `<use href="#carrier" transform="translate(${place(index + 1)})"/>`);
  const warning = circle(207, 76, 3.2, '#f59e0b');
  const middle = 292 + (w - 314) / 2;
  return `${rect(8, 8, w - 16, h - 16, '#2a2f38', 'rx="4"')}<g transform="translate(22 16)">${carrier}</g>${carriers}${warning}${rect(292, 16, w - 314, 110, '#0a0c10', 'rx="5"')}${fan(middle, 71, 104)}<g opacity=".55">${mesh(292, 16, w - 314, 110, 5)}</g>${frontPorts(306, h - 26, '#38bdf8', 1.1)}`;
}

export function workstationFront(w: number, h: number): string {
  const fins = slats(16, 96, w - 32, h - 128, 13, ['#565d69', '#5f6774'], 0.45);
  return `${rect(12, 12, w - 24, h - 24, '#2b3038', 'rx="8"')}${bay(18, 20, w - 36, 30, '#3d434d')}${frontPorts(36, 74, '#facc15', 1.35)}${fins}${rect(16, h - 26, w - 32, 5, 'url(#light)', 'rx="2.5"')}`;
}

/** An angular gaming front: facets around a column of fans, edged with light. */
export function angularFront(w: number, h: number): string {
  const fans = times(3, (index) => fan(w / 2, h * (0.2 + index * 0.3), 120));
  const facet = (side: 1 | -1, dark: string) => {
    const at = (x: number) => (side === 1 ? x : w - x);
    return path(
      `M${at(6)} 6H${at(w * 0.5)}L${at(40)} ${h * 0.24}L${at(22)} ${h * 0.5}L${at(46)} ${h * 0.8}L${at(w * 0.5)} ${h - 6}H${at(6)}Z`,
      dark,
    );
  };
  const light = (side: 1 | -1) => {
    const at = (x: number) => (side === 1 ? x : w - x);
    return stroke(
      `M${at(w * 0.46)} 10L${at(40)} ${h * 0.24}L${at(22)} ${h * 0.5}L${at(46)} ${h * 0.8}L${at(w * 0.46)} ${h - 10}`,
      'url(#light)',
      4,
      'stroke-linejoin="round"',
    );
  };
  return `${rect(6, 6, w - 12, h - 12, '#0a0c10')}${fans}<g opacity=".5">${mesh(6, 6, w - 12, h - 12)}</g>${facet(1, '#2f343d')}${facet(-1, '#1c1f25')}${light(1)}${light(-1)}${path(`M6 6H${w * 0.5}L40 ${h * 0.24}Z`, '#fff', 'opacity=".08"')}`;
}
