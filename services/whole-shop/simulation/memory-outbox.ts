import type { Outbox } from '../../engine/feed/outbox.ts';
import type { ShopDisk } from './shop-tables.ts';

export function createMemoryOutbox(disk: ShopDisk): Outbox {
  const named = (names: readonly string[]) =>
    names.flatMap((name) => {
      const row = disk.content.commits.get(name);
      return row ? [{ name, ...row }] : [];
    });
  return {
    async list(limit, skipped = 0) {
      const open = [...disk.content.commits].filter(([, row]) => row.open).map(([name]) => name);
      return open.slice(skipped, skipped + limit);
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
