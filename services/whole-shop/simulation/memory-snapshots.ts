import { type Snapshots, snapshotSchema } from '../../engine/log/snapshots.ts';
import type { ShopDisk } from './shop-tables.ts';

export function createMemorySnapshots(disk: ShopDisk): Snapshots {
  return {
    find: async (stream) => snapshotSchema.safeParse(disk.content.snapshots.get(stream)).data ?? null,
    async keep(snapshot) {
      const kept = structuredClone(snapshot);
      disk.write((tables) => tables.snapshots.set(kept.stream, kept), 'later');
    },
    async clear() {
      disk.write((tables) => tables.snapshots.clear());
    },
  };
}
