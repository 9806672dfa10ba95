import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyDocument, Documents } from '../../contracts/documents.ts';
import type { RecordedEvent, StoredEvent } from '../../contracts/events.ts';
import { type DocumentKind, parseStreamName, type StreamName } from '../../contracts/ids.ts';
import { shopProjection } from '../../shop/projection.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Sealing } from '../log/sealing.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import { createProjector } from './project.ts';
import { STREAMS } from './sample-streams.fixture.ts';

/** Generates random histories of a stream: the stream's first event, followed by any of its other events in any order, with repeats. */
const lifeOf = (stream: StreamName) => {
  const [first, ...later] = STREAMS.get(stream) ?? [];
  if (!first) throw new Error(`${stream} has no events.`);
  const rest = later.length > 0 ? fc.array(fc.constantFrom(...later), { maxLength: 12 }) : fc.constant([]);
  return rest.map((events) =>
    [first, ...events].map((event, index) => ({ ...event, id: `${stream}:${index}`, streamversion: index + 1 })),
  );
};
const lives = fc.tuple(...[...STREAMS.keys()].map(lifeOf));

/** Folds a stream's events into its document. Returns null if there are no events. */
function folded(events: readonly RecordedEvent[]): AnyDocument | null {
  return events.reduce<AnyDocument | null>((document, event) => {
    const { kind } = parseStreamName(event.subject);
    return shopProjection.projectEvent(kind as DocumentKind, document as never, event);
  }, null);
}

/**
 * Opens an in-memory log of these histories and an empty store. Records each push, together with the version of the
 * document that was saved at that moment.
 */
function openStores(streams: readonly (readonly RecordedEvent[])[]) {
  const kept = new Map<string, AnyDocument>();
  const pushes: { readonly pushed: number; readonly saved: number; readonly view: unknown; readonly stream: string }[] =
    [];
  const log = {
    readStream: async (stream: StreamName, after: number, limit: number) =>
      (streams.find(([first]) => first?.subject === stream) ?? []).slice(after, after + limit),
  } as unknown as EventLog;
  const readModels = {
    getMany: async (kind: string, ids: readonly string[]) =>
      ids.flatMap((id) => kept.get(`${kind}-${id}`) ?? []) as Documents[DocumentKind][],
    async save(documents: readonly AnyDocument[]) {
      return documents.flatMap((document) => {
        const name = `${document.kind}-${document.id}`;
        const known = kept.get(name);
        if (!known || known.version < document.version) kept.set(name, document);
        return known && known.version > document.version ? [known] : [];
      });
    },
  } as unknown as ReadModels;
  const sealing = {
    openAll: async (events: readonly StoredEvent[]) => events,
    openBare: (event: StoredEvent) => event,
  } as unknown as Sealing;
  const projector = () =>
    createProjector({
      log,
      readModels,
      sealing,
      projection: shopProjection,
      clock: () => 0,
      broadcast: {
        publish({ push: { kind, id, version, view } }) {
          const stream = `${kind}-${id}`;
          pushes.push({ stream, pushed: version, saved: kept.get(stream)?.version ?? 0, view });
        },
      },
    });
  return { kept, pushes, projector };
}

describe('projecting events that are delivered repeatedly and in any order', () => {
  it('PRJ1 PRJ2 a fold yields the same document even if the document is saved and reread between events', () => {
    fc.assert(
      fc.property(lives, fc.nat(), (streams, cut) => {
        for (const events of streams) {
          const at = cut % (events.length + 1);
          const resumed = events.slice(at).reduce<AnyDocument | null>(
            (document, event) => {
              const { kind } = parseStreamName(event.subject);
              const reread: unknown = JSON.parse(JSON.stringify(document));
              return shopProjection.projectEvent(kind as DocumentKind, reread as never, event);
            },
            folded(events.slice(0, at)),
          );
          expect(JSON.stringify(resumed)).toBe(JSON.stringify(folded(events)));
          expect(resumed?.version).toBe(events.length);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('PRJ1 PRJ6 documents match the log, and pushes are never older than the saved documents, even if events are repeated, missed or out of order', async () => {
    const deliveries = fc.array(
      fc.record({ picks: fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), restart: fc.boolean() }),
      {
        minLength: 1,
        maxLength: 12,
      },
    );
    await fc.assert(
      fc.asyncProperty(lives, deliveries, async (streams, batches) => {
        const all = streams.flat();
        const { kept, pushes, projector } = openStores(streams);
        const highest = new Map<string, number>();
        let current = projector();
        for (const { picks, restart } of batches) {
          if (restart) current = projector();
          const events = picks.map((pick) => all[pick % all.length] as RecordedEvent);
          for (const { subject, streamversion } of events) {
            highest.set(subject, Math.max(streamversion, highest.get(subject) ?? 0));
          }
          expect(await current.project(events as unknown as StoredEvent[])).toEqual(new Set());
        }
        expect([...kept.keys()].sort()).toEqual([...highest.keys()].sort());
        for (const [stream, document] of kept) {
          const life = streams.find(([first]) => first?.subject === stream) ?? [];
          expect(document.version).toBeGreaterThanOrEqual(highest.get(stream) ?? 0);
          expect(document).toEqual(folded(life.slice(0, document.version)));
        }
        for (const { stream, pushed, saved, view } of pushes) {
          const life = streams.find(([first]) => first?.subject === stream) ?? [];
          const document = folded(life.slice(0, pushed));
          expect(pushed).toBe(saved);
          expect(view).toEqual(document && shopProjection.pushedView(document)?.view);
        }
      }),
      { numRuns: 100 },
    );
  });
});
