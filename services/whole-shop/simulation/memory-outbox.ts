import type { Outbox } from '../../engine/feed/outbox.ts';
import type { ShopDisk } from './shop-tables.ts';

export function createMemoryOutbox(disk: ShopDisk): Outbox {
  const named = (names: readonly string[]) =>
    names.flatMap((name) => {
      const row = disk.content.commits.get(name);
      return row ? [{ name, ...row }] : [];
    });
  return {
    async list(limit) {
      const open: string[] = [];
      for (const [name, row] of disk.content.commits) {
        if (open.length === limit) break;
        if (row.open) open.push(name);
      }
      return open;
    },
    find: async (names) => named(names).map(({ name, events }) => ({ name, events })),
    read: async (names) =>
      named(names)
        .filter(({ open }) => open)
        .map(({ name, events }) => ({ name, events })),
    async close(names) {
      disk.write((tables) => {
        for (const name of names) {
          const row = tables.commits.get(name);
          if (row) row.open = false;
        }
      });
    },
  };
}
