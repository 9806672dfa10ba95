import { liveEntry } from '../../live/live-document.ts';

export const productWith = (id: string) => liveEntry('product', id, `/products/${encodeURIComponent(id)}`);
