import type { EventLog } from '../../engine/log/event-log.ts';
import type { Snapshots } from '../../engine/log/snapshots.ts';
import type { ReadModels } from '../../engine/read-models/read-models.ts';
import type { ShopDisk } from './shop-tables.ts';
import type { World } from './world.ts';

/** Returns the first characters of an id, for the trace. */
export const shortName = (name: string): string => name.replace(/([0-9a-f]{6})[0-9a-f]{18,58}/g, '$1');

/** Returns a log that adds each durable commit to the trace. */
export function observedLog(world: World, log: EventLog): EventLog {
  const appended = new Set<string>();
  return {
    ...log,
    async append(commit) {
      const result = await log.append(commit);
      if (result.kind === 'conflict') world.note('an append met a newer version');
      else if (appended.has(commit.id)) world.note('a commit was appended again');
      else {
        const types = commit.events.map(({ type, streamversion }) => `${type} v${streamversion}`).join(', ');
        world.say(`durable: ${shortName(commit.stream)} ${types}`);
        if (commit.events.filter(({ type }) => type === 'StockReduced').length > 1)
          world.note('several orders took their stock in one commit');
        for (const { id } of commit.events) world.durableAt.set(id, world.time.now());
      }
      appended.add(commit.id);
      return result;
    },
  };
}

/** Returns read models that add each saved document to the trace. */
export function observedReadModels(world: World, readModels: ReadModels, disk: ShopDisk): ReadModels {
  return {
    ...readModels,
    async save(documents) {
      for (const { kind, id, version } of documents) {
        if (disk.content.documents[kind].get(id)?.version === version)
          world.note('two projectors saved the same version');
        else world.say(`saved: ${shortName(`${kind}-${id}`)} v${version}`);
      }
      const newer = await readModels.save(documents);
      if (newer.length > 0) world.note('a projector met a newer document');
      return newer;
    },
  };
}

export function observedSnapshots(world: World, snapshots: Snapshots): Snapshots {
  return {
    ...snapshots,
    async find(stream) {
      const found = await snapshots.find(stream);
      if (found) world.note('a snapshot was used');
      return found;
    },
  };
}
