import type { Canary } from './canary.ts';

const COMMANDS: readonly Canary[] = [
  {
    name: 'batched-commands-see-an-old-version',
    rule: 'ORD10',
    effect: "An admin ships an order to an address that the customer has just changed and that the admin hasn't seen.",
    file: 'engine/commands/decide-batch.ts',
    replace: [
      'decider.decide(command, state, { version, prior })',
      'decider.decide(command, state, { version: folded.version, prior })',
    ],
  },
  {
    name: 'twin-commands-in-one-batch',
    rule: 'CMD3',
    effect: 'A request that is repeated before it is answered takes the stock of one order twice.',
    file: 'engine/commands/decide-batch.ts',
    replace: ['if (fresh.length > 0) yielded.set(meta.cause, [...prior, ...fresh]);', ''],
  },
  {
    name: 'repeat-on-another-copy-counts-as-new',
    rule: 'CMD3',
    effect: 'A request that is repeated on another copy of the shop, or after a restart, is carried out a second time.',
    file: 'engine/commands/stream-queue.ts',
    replace: ['openAll([...before, ...since])', 'openAll(before)'],
  },
  {
    name: 'refusal-from-a-stale-copy',
    rule: 'CMD2',
    effect: 'One copy of the shop refuses a request because of a state that another copy has changed long ago.',
    file: 'engine/commands/stream-queue.ts',
    replace: [
      'if (decided.events.length === 0) return null;',
      'if (decided.events.length === 0) return decided.outcomes;',
    ],
  },
  {
    name: 'load-overtakes-a-running-append',
    rule: 'AUTH2',
    effect: 'While the log records that an admin is no longer one, that admin still has the role.',
    file: 'engine/commands/stream-queue.ts',
    replace: ['load: () => loads(null)', 'load: async () => cached?.folded ?? loads(null)'],
  },
  {
    name: 'snapshot-hides-earlier-requests',
    rule: 'CMD3',
    effect: 'After a restart, a repeated request for an old order of a popular product takes the stock a second time.',
    file: 'engine/commands/cached-stream.ts',
    replace: ['folded.version === 0 ? new Set() : null', 'new Set()'],
  },
  {
    name: 'key-store-outage-erases-customers',
    rule: 'LOG5',
    effect: "While the key store doesn't respond, customers' new orders are saved with the name and address 'erased'.",
    file: 'engine/log/sealing.ts',
    replace: ['null : await keys.find(person);', 'null : await keys.find(person).catch(() => null);'],
  },
];

const FEED: readonly Canary[] = [
  {
    name: 'commit-with-failed-events-is-closed',
    rule: 'FEED2',
    effect: "If putting a cancelled order's pieces back in stock fails once, they are never put back.",
    file: 'servers/kafka/kafka-portions.ts',
    replace: ['if (notDone.has(event.id)) continue;', ''],
  },
  {
    name: 'half-handled-commit-is-closed',
    rule: 'FEED2',
    effect: 'Of several orders whose stock was taken together, one is never opened if its first attempt fails.',
    file: 'servers/kafka/kafka-portions.ts',
    replace: ['ids.size === sizes.get(commit)', 'ids.size > 0'],
  },
  {
    name: 'open-commit-never-falls-due',
    rule: 'FEED2',
    effect:
      'If the message about an order is lost, the order stays missing from the lists and its e-mail is never sent.',
    file: 'servers/kafka/outbox-relay.ts',
    replace: ['open.get(name) ?? (await firstSeen(name))', 'await firstSeen(name)'],
  },
  {
    name: 'quiet-partition-is-never-resent',
    rule: 'FEED2',
    effect: 'If the message about the last order of the evening is lost, that order stays unseen until the next order.',
    file: 'servers/kafka/outbox-relay.ts',
    replace: ['position.next >= Math.min(', 'position.next > Math.min('],
  },
  {
    name: 'checkpoint-before-the-work',
    rule: 'FEED2',
    effect: 'A placement that a crash interrupts is never completed, so its stock is gone and there is no order.',
    file: 'embedded/log-feed.ts',
    replace: [
      'const failed = await handler(batch.map(({ event }) => event));',
      `await store.record(batch, new Set(), () => clock());
      const failed = await handler(batch.map(({ event }) => event));`,
    ],
  },
  {
    name: 'retry-has-no-timer',
    rule: 'PRJ4',
    effect: 'A step that fails is not retried until somebody happens to order something else.',
    file: 'embedded/log-feed.ts',
    replace: [
      'dueAt === null ? null : Math.max(0, dueAt - clock())',
      'dueAt === null || dueAt > clock() ? null : Math.max(0, dueAt - clock())',
    ],
  },
  {
    name: 'gap-in-the-feed-is-ignored',
    rule: 'PRJ1',
    effect: 'If one message about an order is lost, the board never shows the change that the message was about.',
    file: 'engine/projector/project.ts',
    replace: ['event.streamversion === version + 1', 'document !== null'],
  },
  {
    name: 'unprojected-events-are-dropped',
    rule: 'PRJ4',
    effect: 'An order that could not be read for a moment stays missing from the lists, and its e-mail is never sent.',
    file: 'engine/projector/project.ts',
    replace: ['return failed ? new Set([...notDone, ...failed]) : notDone;', 'return failed ?? notDone;'],
  },
];

const READING: readonly Canary[] = [
  {
    name: 'customers-share-a-cached-list',
    rule: 'READ2',
    effect: "A customer's list of orders shows another customer's orders, with the names and addresses.",
    file: 'http/response-cache.ts',
    replace: [
      'key: JSON.stringify([query, request])',
      "key: JSON.stringify([query, request], (field, value) => (field === 'customer' ? 'own' : value))",
    ],
  },
  {
    name: 'append-during-a-wait-is-forgotten',
    rule: 'READ1',
    effect: "A list doesn't show a change that was confirmed while an earlier request for the list was waiting.",
    file: 'http/read-your-writes.ts',
    replace: ['if (pending.peek(stream) === version) pending.delete(stream);', 'pending.delete(stream);'],
  },
];

/** Bugs in commands, in the event feed and in reads. */
export const ENGINE_CANARIES: readonly Canary[] = [...COMMANDS, ...FEED, ...READING];
