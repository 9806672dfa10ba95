import type { Casing } from './draw-casing.ts';
import { angularFront, BEIGE, rackFront, retroFront, STEEL, slimRear, workstationFront } from './faces.ts';
import { circle, fan, mesh, path, rect, shade, slots, stroke, times } from './ink.ts';
import { drawOpenFrame } from './open-frame.ts';
import { bay, frontPorts, meshFront, opticalDrive, rearPanel, seam, slats, topVent } from './panels.ts';
import { solid } from './solids.ts';

const CHARCOAL = '#2b3039';
const GRAPHITE = '#3a414d';
const PEARL = '#e6e9ee';

const CYAN = { from: '#22d3ee', to: '#3b82f6' };
const ROSE = { from: '#fb7185', to: '#a855f7' };
const VIOLET = { from: '#8b5cf6', to: '#22d3ee' };
const EMBER = { from: '#f97316', to: '#ef4444' };
const ICE = { from: '#60a5fa', to: '#a5f3fc' };
const LEAF = { from: '#34d399', to: '#22d3ee' };

const WALNUT = ['#8a5a3b', '#7d5034', '#946242', '#845638'] as const;

const topWithPorts = (accent: string) => (w: number, d: number) =>
  topVent(w, d) + frontPorts(w * 0.28, d - 26, accent, 1.1);

/** What each product's picture shows, by the file name that its pictures begin with. */
export const CASINGS: Record<string, Casing> = {
  'shrabon-m3-mesh': {
    size: [215, 440, 460],
    body: CHARCOAL,
    light: CYAN,
    glass: 'left',
    interior: { frontFans: 3 },
    front: (w, h) => meshFront(w, h, 3, CHARCOAL),
    top: topWithPorts(CYAN.from),
  },
  'sheesh-panorama': {
    size: [235, 430, 445],
    body: PEARL,
    light: ROSE,
    glass: 'corner',
    interior: { metal: '#d9dee6', sideFans: 3, frontFans: 0 },
    front: () => '',
    top: topWithPorts(ROSE.from),
  },
  'banyan-xl': {
    size: [245, 560, 600],
    body: '#252a31',
    light: ICE,
    glass: 'left',
    interior: { frontFans: 3 },
    front: (w, h) =>
      times(3, (index) => bay(16, 18 + index * 48, w - 32, 44, '#252a31')) +
      `<g transform="translate(0 158)">${meshFront(w, h - 158, 3, '#252a31', 10)}</g>`,
    top: topWithPorts(ICE.from),
  },
  'dice-itx': {
    size: [255, 300, 270],
    body: '#4a6a5c',
    light: LEAF,
    fills: 0.86,
    front: (w, h) =>
      rect(16, 16, w - 32, h - 58, '#0a0c10', 'rx="14"') +
      fan(w / 2, (h - 42) / 2 + 8, h - 76) +
      `<g opacity=".62">${mesh(16, 16, w - 32, h - 58, 14)}</g>` +
      frontPorts(28, h - 21, LEAF.from),
    left: (w, h) => slots(w * 0.2, h * 0.24, w * 0.6, h * 0.45, 8) + seam(14, w - 14, h - 42),
    top: (w, d) => mesh(w * 0.12, d * 0.12, w * 0.76, d * 0.6, 12),
    rear: (w, h) => rearPanel(w, h, '#4a6a5c'),
  },
  'twinroom-2c': {
    size: [300, 450, 435],
    body: '#20242b',
    light: VIOLET,
    glass: 'corner',
    chamber: 200,
    interior: { sideFans: 3, noShroud: true },
    front: (w, h) => mesh(206, 14, w - 218, h - 60, 6) + frontPorts(216, h - 26, VIOLET.from, 0.92),
    rear: (w, h) => mesh(16, 20, 74, h * 0.5, 5) + rearPanel(w, h, '#20242b', 96),
  },
  'slate-s1-slim': {
    size: [345, 330, 96],
    body: GRAPHITE,
    turned: 34,
    fills: 0.96,
    front: (w, h) =>
      opticalDrive(16, 14, 160, GRAPHITE) +
      slots(192, 16, w - 212, 38, 4) +
      frontPorts(206, h - 22, '#4ade80', 1.1) +
      rect(16, h - 30, 160, 14, shade(GRAPHITE, -0.35), 'rx="7"'),
    left: (w, h) => slots(w * 0.25, h * 0.25, w * 0.5, h * 0.5, 4),
    top: (w, d) => slots(w * 0.55, d * 0.2, w * 0.32, d * 0.36, 6) + seam(0, w, d - 30),
    rear: slimRear,
  },
  'trellis-open-frame': {
    size: [250, 440, 470],
    body: '#b4bcc8',
    light: EMBER,
    skeleton: (view, block) => drawOpenFrame(view, block, '#b4bcc8', EMBER.from),
    front: () => '',
  },
  'beige-box-95': {
    size: [200, 420, 430],
    body: BEIGE,
    front: retroFront,
    left: (w, h) => seam(12, w - 12, h - 26) + slots(w - 118, h * 0.62, 84, 84, 4),
    top: (w, d) => seam(6, w - 6, d - 40),
    rear: (w, h) => rearPanel(w, h, BEIGE),
    feet: 10,
  },
  'teakfront-t2': {
    size: [220, 440, 455],
    body: '#23262b',
    glass: 'left',
    interior: { frontFans: 2, metal: '#2a2d33' },
    light: { from: '#fbbf77', to: '#f59e0b' },
    front: (w, h) => slats(10, 10, w - 20, h - 20, 11, WALNUT),
    top: topWithPorts('#fbbf77'),
  },
  'rackline-4u': {
    size: [430, 460, 176],
    body: STEEL,
    turned: 30,
    fills: 1,
    feet: 0,
    front: rackFront,
    left: (w, h) =>
      seam(10, w - 10, 22) +
      times(5, (index) => circle(34 + index * ((w - 68) / 4), h / 2, 4, '#3d444f')) +
      rect(20, h - 44, w - 40, 12, shade(STEEL, -0.3), 'rx="3"'),
    top: (w, d) =>
      slots(w * 0.1, d * 0.12, w * 0.3, d * 0.3, 6) +
      slots(w * 0.6, d * 0.12, w * 0.3, d * 0.3, 6) +
      seam(0, w, d * 0.72),
    rear: slimRear,
    before: (view, { size: [w, , h] }) =>
      view.seen[0] === 'front'
        ? [-26, w].map((x) => solid(view, [x, -6, 0], [26, 8, h], shade(STEEL, 0.15))).join('') +
          [-20, w + 6].map((x) => solid(view, [x, -34, 40], [12, 30, h - 80], '#20242a')).join('')
        : '',
  },
  'deskmate-d20': {
    size: [180, 390, 400],
    body: '#31363f',
    front: (w, h) =>
      rect(10, 10, w - 20, h - 20, '#1f2329', 'rx="10"') +
      opticalDrive(20, 24, w - 40, '#3a404a') +
      bay(20, 72, w - 40, 42, '#3a404a') +
      frontPorts(42, 146, '#38bdf8', 1.25) +
      path(
        `M20 ${h * 0.52}C${w * 0.45} ${h * 0.44} ${w * 0.62} ${h * 0.74} ${w - 20} ${h * 0.62}V${h - 30}Q${w - 20} ${h - 20} ${w - 30} ${h - 20}H30Q20 ${h - 20} 20 ${h - 30}Z`,
        'url(#slots)',
      ) +
      stroke(`M20 ${h * 0.52}C${w * 0.45} ${h * 0.44} ${w * 0.62} ${h * 0.74} ${w - 20} ${h * 0.62}`, '#38bdf8', 3),
    left: (w, h) =>
      mesh(w * 0.3, h * 0.22, w * 0.3, h * 0.26, 10) +
      slots(w * 0.34, h * 0.62, w * 0.24, h * 0.14, 5) +
      seam(10, w - 10, h - 22),
    top: (w, d) => seam(6, w - 6, d - 36),
  },
  'bulbul-stream-8': {
    size: [230, 440, 450],
    body: '#eef0f4',
    light: { from: '#c084fc', to: '#60a5fa' },
    glass: 'left',
    interior: { cooler: 'liquid', cards: 1, metal: '#e3e7ee', parts: '#cfd5de', frontFans: 3 },
    front: (w, h) => meshFront(w, h, 3, '#eef0f4', 14),
    top: topWithPorts('#c084fc'),
  },
  'bengal-w16': {
    size: [240, 500, 500],
    body: '#3d434d',
    light: { from: '#facc15', to: '#f59e0b' },
    blades: '#464c57',
    glass: 'left',
    interior: { cooler: 'tower', cards: 2, frontFans: 3 },
    front: workstationFront,
    top: (w, d) => mesh(w * 0.14, d * 0.24, w * 0.72, d * 0.46, 8),
    before: (view, { size: [w, d, h], at: [, , z] }) => {
      const grip = (y: number, colour: string) =>
        view.plane([w * 0.2, y, z + h], [1, 0, 0], [0, 0, -1], stroke(`M8 0V-26H${w * 0.6 - 8}V0`, colour, 14));
      const grips = [d - 40, 30].map((y) => grip(y + 14, '#15181d') + grip(y, '#343a45'));
      return grips.join('');
    },
  },
  'jonaki-starter': {
    size: [200, 380, 390],
    body: '#2a2f37',
    light: { from: '#a3e635', to: '#22c55e' },
    glass: 'left',
    interior: { cooler: 'tower', frontFans: 2 },
    fills: 0.94,
    front: (w, h) =>
      rect(12, 12, w - 24, h - 24, shade('#2a2f37', 0.08), 'rx="8"') +
      slots(18, 20, 24, h - 40, 6) +
      path(`M52 14H${w * 0.62}L52 ${h * 0.5}Z`, '#fff', 'opacity=".06"') +
      rect(50, 22, 5, h - 44, 'url(#light)', 'rx="2.5"') +
      circle(w - 44, 44, 11, '#12151a', 'stroke="#a3e635" stroke-width="3"'),
    top: topWithPorts('#a3e635'),
  },
  'norwester-g7': {
    size: [230, 450, 465],
    body: '#22252c',
    light: EMBER,
    glass: 'left',
    interior: { cooler: 'liquid', cards: 1, frontFans: 3 },
    front: angularFront,
    top: topWithPorts(EMBER.from),
  },
  'heron-mini': {
    size: [185, 205, 385],
    body: '#d5d9df',
    light: ICE,
    fills: 0.94,
    front: (w, h) =>
      slats(12, 44, w - 24, h - 96, 9, ['#c3c9d1', '#ced3da'], 0.42) + frontPorts(38, h - 28, '#60a5fa', 1.25),
    left: (w, h) => slats(14, 44, w - 28, h - 96, 9, ['#b3bac3', '#bec4cc'], 0.42),
    top: (w, d) =>
      rect(0, 0, w, d, '#a9794f') +
      times(6, (index) => rect(0, 8 + index * (d / 6), w, 2, '#6f4a2b', 'opacity=".35"')) +
      fan(w / 2, d / 2, 138) +
      `<g opacity=".5">${mesh(w / 2 - 70, d / 2 - 70, 140, 140, 70)}</g>`,
    rear: (w, h) =>
      slats(12, 44, w - 24, h * 0.4, 9, ['#a3aab4', '#adb4bd'], 0.42) +
      rect(14, h * 0.56, 40, 120, '#9aa3b0', 'rx="2"') +
      times(4, (index) =>
        rect(
          20,
          h * 0.58 + index * 26,
          26,
          14,
          ['#3b82c4', '#c0392b', '#1a1d23', '#1a1d23'][index] ?? '#1a1d23',
          'rx="1"',
        ),
      ) +
      slots(66, h * 0.56, 20, 120) +
      slots(94, h * 0.56, 20, 120),
  },
};
