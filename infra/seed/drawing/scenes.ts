import { CASINGS } from './casings.ts';
import { type Casing, drawCasing } from './draw-casing.ts';
import { circle, definitions, type Light, mesh, path, rect, shade, stroke, times } from './ink.ts';
import { meshFront, slats } from './panels.ts';
import { shell, solid } from './solids.ts';
import { type Block, createView, type Placement, type Point3, placeOn } from './view.ts';

const WIDTH = 1600;
const HEIGHT = 700;

interface Backdrop {
  dark: string;
  deep: string;
  light: Light;
}

/** Places a casing with its ground `ground` pixels from the top and its middle at `middle`. */
function stand(casing: Casing, middle: number, ground: number, height: number, azimuth = 43): Placement {
  const block: Block = { at: [0, 0, casing.feet ?? 14], size: casing.size };
  return placeOn({ width: middle * 2, ground, fitWidth: 900, fitHeight: height }, block, azimuth);
}

function casingNamed(name: string): Casing {
  const casing = CASINGS[name];
  if (!casing) throw new Error(`There is no casing named ${name}.`);
  return casing;
}

/** A wide stage whose left half stays calm for the words that a page lays over it. */
function stage(title: string, body: string, { dark, deep, light }: Backdrop, artwork: string): string {
  const ground = [
    `<linearGradient id="stage" x2="1" y2=".6"><stop stop-color="${dark}"/><stop offset="1" stop-color="${deep}"/></linearGradient>`,
    `<radialGradient id="spot"><stop stop-color="${light.from}" stop-opacity=".55"/><stop offset="1" stop-color="${light.from}" stop-opacity="0"/></radialGradient>`,
    `<linearGradient id="floor" x2="0" y2="1"><stop stop-color="#fff" stop-opacity=".06"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></linearGradient>`,
  ].join('');
  const arcs = times(3, (index) =>
    circle(1140, 560, 300 + index * 130, 'none', `stroke="#fff" opacity="${0.09 - index * 0.025}" stroke-width="2"`),
  );
  const room = `${rect(0, 0, WIDTH, HEIGHT, 'url(#stage)')}${arcs}<ellipse cx="1140" cy="360" rx="620" ry="400" fill="url(#spot)"/>${rect(0, 560, WIDTH, 140, 'url(#floor)')}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}"><title>${title}</title><defs>${definitions(body, light)}${ground}</defs>${room}${artwork}</svg>\n`;
}

/** Slide 1: a selection, from a cube to a tower. */
export function drawSelection(): string {
  const tower = casingNamed('shrabon-m3-mesh');
  const cube = casingNamed('dice-itx');
  const column = casingNamed('heron-mini');
  const light = { from: '#22d3ee', to: '#60a5fa' };
  const line = [
    drawCasing(column, stand(column, 850, 592, 370)),
    drawCasing(tower, stand(tower, 1110, 625, 540)),
    drawCasing(cube, stand(cube, 1440, 648, 275)),
  ];
  return stage('Three desktop casings', '#2b3039', { dark: '#0b1526', deep: '#123a56', light }, line.join(''));
}

/** Slide 2: the flagship, and the front panels that it can change. */
export function drawFlagship(): string {
  const flagship = casingNamed('norwester-g7');
  const placement = stand(flagship, 1000, 566, 480);
  const view = createView(placement);
  const [w, , h] = flagship.size;
  const panel = (out: number, colour: string, artwork: (width: number, height: number) => string) => {
    const block: Block = { at: [0, -out, 14], size: [w, 14, h] };
    return shell(view, block, colour, { front: artwork });
  };
  const reach = (out: number): Point3 => [w / 2, -out, 0];
  const rail = `<path d="${view.line(reach(0), reach(560))}" stroke="#fff" stroke-opacity=".35" stroke-width="3" stroke-dasharray="4 12" stroke-linecap="round"/>`;
  const panels = [
    panel(210, '#2b3039', (width, height) => meshFront(width, height, 3, '#2b3039')),
    panel(390, '#23262b', (width, height) =>
      slats(10, 10, width - 20, height - 20, 11, ['#8a5a3b', '#7d5034', '#946242']),
    ),
    panel(
      570,
      '#e6e9ee',
      (width, height) =>
        rect(14, 14, width - 28, height - 28, '#d5dae2', 'rx="12"') +
        mesh(30, 40, 40, height - 80, 8) +
        rect(84, 40, 5, height - 80, 'url(#light)', 'rx="2"'),
    ),
  ];
  const light = { from: '#f97316', to: '#ef4444' };
  return stage(
    'A casing and its exchangeable front panels',
    '#22252c',
    { dark: '#160f1d', deep: '#4a1f2b', light },
    rail + drawCasing(flagship, placement) + panels.join(''),
  );
}

/** Slide 3: a gaming corner, connected by one cable. */
export function drawGamingCorner(): string {
  const casing = casingNamed('twinroom-2c');
  const light = { from: '#8b5cf6', to: '#22d3ee' };
  const cable = 'M1130 566C1080 640 990 600 960 650S760 690 640 640';
  const lead =
    stroke(cable, '#000', 13, 'opacity=".35" transform="translate(0 7)"') +
    stroke(cable, '#2b2f3a', 11) +
    stroke(cable, 'url(#light)', 4);
  const plug = `<g transform="translate(622 634) rotate(20)">${rect(-34, -14, 52, 28, '#353b48', 'rx="7"')}${rect(-58, -9, 26, 18, '#b9c2cf', 'rx="3"')}${rect(-28, -14, 4, 28, '#fff', 'opacity=".2"')}</g>`;
  return stage(
    'A casing beside a monitor, a keyboard and a cable',
    '#20242b',
    { dark: '#0d0d20', deep: '#2c1a55', light },
    screen() + drawCasing(casing, stand(casing, 1370, 600, 440)) + lead + plug + keyboard(),
  );
}

/** A monitor showing a landscape of a game. */
function screen(): string {
  const view = createView({ azimuth: 18, elevation: 15, scale: 1, origin: [800, 560] });
  const hills =
    path('M0 190L70 130L120 165L200 84L280 160L350 118L430 180V250H0Z', '#3b1d72') +
    path('M0 214C90 170 150 232 240 196S380 200 430 186V250H0Z', '#1b1040');
  const sun = circle(300, 86, 40, '#fb7185') + circle(300, 86, 58, '#fb7185', 'opacity=".25"');
  const road = path('M190 250L226 204H234L290 250Z', '#22d3ee', 'opacity=".7"');
  const picture =
    rect(0, 0, 430, 250, '#5b2a9d') +
    rect(0, 0, 430, 110, '#7c3aed', 'opacity=".6"') +
    sun +
    hills +
    road +
    path('M250 0H330L210 250H130Z', '#fff', 'opacity=".06"');
  const foot = solid(view, [150, 0, 0], [150, 100, 8], '#2a2f3a') + solid(view, [212, 60, 8], [26, 16, 90], '#2a2f3a');
  const body = solid(view, [-10, 36, 82], [450, 20, 270], '#1a1d25');
  return foot + body + view.plane([0, 36, 342], [1, 0, 0], [0, 0, -1], picture);
}

function keyboard(): string {
  const view = createView({ azimuth: 18, elevation: 24, scale: 1, origin: [860, 640] });
  const keys = [0, 1, 2, 3].map((row) =>
    times(13, (column) =>
      rect(8 + column * 21 + row * 2, 8 + row * 21, 18, 18, column % 6 === row ? 'url(#light)' : '#3a4050', 'rx="3"'),
    ),
  );
  return (
    solid(view, [0, 0, 0], [300, 100, 12], '#1d212a') + view.plane([4, 98, 12], [1, 0, 0], [0, -1, 0], keys.join(''))
  );
}

/** The shop's mark: a tower with its fan, on a rounded tile that holds on light and dark pages. */
export function drawLogo(): string {
  const tile = `<linearGradient id="tile" x2="1" y2="1"><stop stop-color="#2f7bf6"/><stop offset="1" stop-color="#6a3df0"/></linearGradient>`;
  const tower = path('M8 5.5L14.5 4L18 5.2V18.6L14.2 20.2L8 18.5Z', '#fff');
  const side = path('M14.4 5.6L18 5.2V18.6L14.4 20.1Z', shade('#6a3df0', 0.62));
  const fan = circle(11.1, 10, 2.1, 'none', 'stroke="#3d63f3" stroke-width="1.3"');
  const bays = stroke('M9.4 15.6L12.8 16', '#3d63f3', 1.4, 'stroke-linecap="round"');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><title>Micro Center</title><defs>${tile}</defs>${rect(0, 0, 24, 24, 'url(#tile)', 'rx="6"')}<g transform="translate(-3.4 -2.6) scale(1.2)">${tower}${side}${fan}${bays}</g></svg>\n`;
}
