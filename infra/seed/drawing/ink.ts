import { short } from './view.ts';

/** Mixes a #rrggbb colour towards white (amount above 0) or black (below 0); amounts run from -1 to 1. */
export function shade(colour: string, amount: number): string {
  const target = amount > 0 ? 255 : 0;
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const mixed = channels.map((channel) => Math.round(channel + (target - channel) * Math.abs(amount)));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

export function rect(x: number, y: number, w: number, h: number, fill: string, more = ''): string {
  const size = `x="${short(x)}" y="${short(y)}" width="${short(w)}" height="${short(h)}"`;
  return `<rect ${size} fill="${fill}"${more && ` ${more}`}/>`;
}

/** Several rectangles of one colour as one path: x, y, width, height of each. */
export function rects(list: readonly (readonly [number, number, number, number])[], fill: string): string {
  const outline = list.map(([x, y, w, h]) => `M${short(x)} ${short(y)}h${short(w)}v${short(h)}h${short(-w)}z`);
  return path(outline.join(''), fill);
}

export function circle(x: number, y: number, r: number, fill: string, more = ''): string {
  return `<circle cx="${short(x)}" cy="${short(y)}" r="${short(r)}" fill="${fill}"${more && ` ${more}`}/>`;
}

export function path(d: string, fill: string, more = ''): string {
  return `<path d="${d}" fill="${fill}"${more && ` ${more}`}/>`;
}

/** A line drawn as a stroke. */
export function stroke(d: string, colour: string, width: number, more = ''): string {
  return path(d, 'none', `stroke="${colour}" stroke-width="${short(width)}"${more && ` ${more}`}`);
}

/** Repeats artwork `count` times. */
export function times(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join('');
}

/** A fan of the drawing's own kind (see `definitions`) with its frame, `size` wide. */
export function fan(x: number, y: number, size: number): string {
  return `<use href="#fan" transform="translate(${short(x)} ${short(y)}) scale(${short(size / 104, 3)})"/>`;
}

/** A sheet of round-holed metal that lets what lies behind shine through. */
export function mesh(x: number, y: number, w: number, h: number, radius = 4): string {
  return rect(x, y, w, h, 'url(#mesh)', `rx="${radius}"`);
}

/** Closely set ventilation slots. */
export function slots(x: number, y: number, w: number, h: number, radius = 3): string {
  return rect(x, y, w, h, 'url(#slots)', `rx="${radius}"`);
}

/** What a fan shines with: its two light colours, or nothing. */
export interface Light {
  from: string;
  to: string;
}

/** Seven swept blades behind a ring of light, 104 wide. */
function fanDrawing(light: Light | undefined, bladeColour: string): string {
  const ring = light ? 'url(#light)' : '#454c58';
  const blade = path('M-7-14C-3-24-1-34-8-42C3-45 14-43 22-38C22-28 14-18 7-13Z', bladeColour, 'id="blade"');
  const blades = times(6, (index) => `<use href="#blade" transform="rotate(${short((index + 1) * 51.43)})"/>`);
  const glow = light ? circle(0, 0, 47, 'url(#glow)', 'opacity=".5"') : '';
  const hub =
    circle(0, 0, 15, '#1a1e26', `stroke="${ring}" stroke-width="1.5"`) + circle(-4, -5, 5, '#fff', 'opacity=".14"');
  const rim = circle(0, 0, 47, 'none', `stroke="${ring}" stroke-width="${light ? 5 : 2.5}"`);
  return `<g id="fan">${rect(-52, -52, 104, 104, '#15181e', 'rx="9"')}${circle(0, 0, 49, '#07090c')}${glow}<g opacity=".62">${blade}${blades}</g>${rim}${hub}</g>`;
}

/** Upright slats in turn of these colours, as a pattern of the given id. */
export function slatPattern(id: string, pitch: number, colours: readonly string[], gap: number): string {
  const bars = colours.map((colour, index) => {
    const at = index * pitch + (pitch * gap) / 2;
    return rect(at, 0, pitch * (1 - gap), 40, colour) + rect(at, 0, pitch * 0.12, 40, '#fff', 'opacity=".25"');
  });
  const width = short(pitch * colours.length, 2);
  return `<pattern id="${id}" width="${width}" height="40" patternUnits="userSpaceOnUse"><rect width="${width}" height="40" fill="#0d0b0a"/>${bars.join('')}</pattern>`;
}

/** Gradients, patterns and the fan that all artwork of one drawing shares. */
export function definitions(body: string, light: Light | undefined, bladeColour?: string): string {
  const { from, to } = light ?? { from: '#8b95a5', to: '#5d6675' };
  const web = shade(body, -0.1);
  const stop = (offset: number, colour: string, opacity = 1) =>
    `<stop offset="${offset}" stop-color="${colour}"${opacity < 1 ? ` stop-opacity="${opacity}"` : ''}/>`;
  return [
    `<linearGradient id="light" x2="1" y2="1">${stop(0, from)}${stop(1, to)}</linearGradient>`,
    `<radialGradient id="glow">${stop(0, to, 0.95)}${stop(0.6, from, 0.45)}${stop(1, from, 0)}</radialGradient>`,
    `<linearGradient id="fall" x2=".25" y2="1">${stop(0, '#fff', 0.16)}${stop(0.45, '#fff', 0)}${stop(1, '#000', 0.28)}</linearGradient>`,
    `<linearGradient id="pane" x2="1" y2=".9">${stop(0, '#fff', 0.2)}${stop(0.35, '#cfe4ff', 0.05)}${stop(1, '#fff', 0.02)}</linearGradient>`,
    `<pattern id="mesh" width="8" height="8" patternUnits="userSpaceOnUse"><path d="M0 0H8V8H0ZM4 .9A3.1 3.1 0 1 0 4 7.1A3.1 3.1 0 1 0 4 .9Z" fill="${web}" fill-rule="evenodd"/></pattern>`,
    `<pattern id="slots" width="30" height="9" patternUnits="userSpaceOnUse"><rect width="30" height="9" fill="${web}"/><rect x="2" y="2" width="26" height="5" rx="2.5" fill="#0b0d11"/></pattern>`,
    `<filter id="soft" x="-30%" y="-60%" width="160%" height="220%"><feGaussianBlur stdDeviation="13"/></filter>`,
    fanDrawing(light, bladeColour ?? (light ? shade(from, 0.35) : '#3b424d')),
  ].join('');
}
