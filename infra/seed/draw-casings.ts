/** Draws every picture of the demo shop: `node --import tsx infra/seed/draw-casings.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { CASINGS } from './drawing/casings.ts';
import { drawPicture } from './drawing/draw-casing.ts';
import { drawFlagship, drawGamingCorner, drawLogo, drawSelection } from './drawing/scenes.ts';

const publicFolder = new URL('../../web/public/', import.meta.url);

function write(path: string, svg: string): void {
  const file = new URL(path, publicFolder);
  mkdirSync(new URL('.', file), { recursive: true });
  writeFileSync(file, svg);
}

for (const [name, casing] of Object.entries(CASINGS)) {
  write(`casings/${name}.svg`, drawPicture(casing, 'front'));
  write(`casings/${name}-rear.svg`, drawPicture(casing, 'rear'));
}
write('banner/1.svg', drawSelection());
write('banner/2.svg', drawFlagship());
write('banner/3.svg', drawGamingCorner());
write('logo.svg', drawLogo());
