import { type Commit, closableAppends, type EventLog } from '../../engine/log/event-log.ts';
import { appendTo, headOf, type ShopDisk } from './shop-tables.ts';

/** `onAppended` is called after each append, and again if the same commit is appended a second time. */
export function createMemoryEventLog(disk: ShopDisk, onAppended: (commit: Commit) => void = () => {}): EventLog {
  const streamOf = (stream: Commit['stream']) => disk.content.streams.get(stream) ?? [];
  const writes = closableAppends(async (commit, bodies) => {
    const result = disk.write((tables) => appendTo(tables, commit, bodies));
    if (result.kind === 'appended') onAppended(commit);
    return result;
  });
  return {
    ...writes,
    readStream: async (stream, after, limit) => streamOf(stream).slice(after, after + limit),
    head: async (stream) => headOf(disk.content, stream),
    findByCauses: async (stream, causes) => streamOf(stream).filter(({ cause }) => causes.includes(cause)),
    streamsOf: async (person) =>
      [...disk.content.streams].filter(([, [first]]) => first?.data.person === person).map(([stream]) => stream),
    async readAll(after, limit) {
      const from = Number(after ?? 0);
      const events = disk.content.events.slice(from, from + limit);
      return { events, position: events.length === 0 ? after : String(from + events.length) };
    },
  };
}
