import {
  type ConsumeOptions,
  type GroupMember,
  type IncomingMessage,
  type KafkaCluster,
  type MessageBatch,
  type OutgoingMessage,
  type PartitionPosition,
  partitionKey,
  type TopicPartition,
} from '../../servers/kafka/kafka-cluster.ts';
import type { Dice } from './dice.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** If the broker hasn't heard from a member for this long, in ms, it drops the member from its group. */
export const SESSION_TIMEOUT_MS = 30_000;
const HEARTBEAT_MS = 3_000;
const PARTITIONS = 3;

/** The properties and methods of a simulated process that its Kafka client uses. */
type Client = Pick<SimulatedProcess, 'schedule' | 'isAlive' | 'isRunning' | 'now'>;

/** A Kafka broker in memory. Its messages and committed offsets outlive the processes that use it. */
export interface MemoryKafka {
  /** Connects a process to the cluster. */
  connect(process: Client): KafkaCluster;
  /**
   * Loses the newest messages of one partition, although their senders got a success response, and reuses their
   * offsets. Returns how many messages were lost.
   */
  loseNewest(dice: Dice): number;
}

interface Partition extends TopicPartition {
  /** the messages by offset */
  readonly messages: IncomingMessage[];
}

interface Member {
  readonly options: ConsumeOptions;
  readonly client: Client;
  lastHeard: number;
  /** the partitions of the current generation, with the offset to fetch next */
  assigned: Map<Partition, number>;
  /** the partitions with a batch in progress */
  readonly busy: Set<Partition>;
  /** the partitions from which nothing is fetched for a while, because their last batch failed */
  readonly paused: Set<Partition>;
  isStopping: boolean;
}

interface Group {
  readonly committed: Map<string, number>;
  readonly members: Set<Member>;
  generation: number;
}

export interface MemoryKafkaSettings {
  /** returns the maximum number of messages for the next fetch */
  readonly fetchSize?: () => number;
  /** called with each rare situation */
  readonly note?: (situation: string) => void;
}

export function createMemoryKafka(dice: Dice, settings: MemoryKafkaSettings = {}): MemoryKafka {
  const { fetchSize = () => dice.between(1, 40), note = () => {} } = settings;
  const published = new Set<string>();

  const topics = new Map<string, Partition[]>();
  const groups = new Map<string, Group>();

  function partitionsOf(topic: string): Partition[] {
    const known = topics.get(topic);
    if (known) return known;
    const created = Array.from({ length: PARTITIONS }, (_, partition) => ({ topic, partition, messages: [] }));
    topics.set(topic, created);
    return created;
  }

  function groupOf(name: string): Group {
    const group = groups.get(name) ?? { committed: new Map(), members: new Set(), generation: 0 };
    groups.set(name, group);
    return group;
  }

  /** Assigns the partitions again. A member is told its partitions a little later, and fetches nothing until then. */
  function rebalance(group: Group): void {
    group.generation += 1;
    if ([...group.members].some(({ busy }) => busy.size > 0)) note('a consumer group rebalanced during a batch');
    const { generation } = group;
    const members = [...group.members];
    const all = [...new Set(members.flatMap(({ options }) => options.topics))].flatMap(partitionsOf);
    members.forEach((member, index) => {
      const assigned = all.filter((_, number) => number % members.length === index);
      member.assigned = new Map();
      member.client.schedule(dice.between(1, 50), () => {
        if (generation !== group.generation || !group.members.has(member)) return;
        member.options.onAssigned(assigned.map(({ topic, partition }) => ({ topic, partition })));
        const next = (partition: Partition) => group.committed.get(partitionKey(partition)) ?? 0;
        member.assigned = new Map(assigned.map((partition) => [partition, next(partition)]));
        fetchAll(group, member);
      });
    });
  }

  function fetchAll(group: Group, member: Member): void {
    for (const partition of member.assigned.keys()) void fetchNext(group, member, partition, group.generation);
  }

  async function fetchNext(group: Group, member: Member, partition: Partition, generation: number): Promise<void> {
    const { options, client, busy, paused } = member;
    const isCurrent = () => group.generation === generation && group.members.has(member) && !member.isStopping;
    const next = member.assigned.get(partition);
    if (!isCurrent() || next === undefined || busy.has(partition) || paused.has(partition)) return;
    if (busy.size >= options.partitionsAtOnce) return;
    const messages = partition.messages.slice(next, next + fetchSize());
    if (messages.length === 0) return;
    busy.add(partition);
    const { topic, partition: number } = partition;
    const batch: MessageBatch = {
      topic,
      partition: number,
      messages,
      isCurrent,
      advance(offset) {
        if (isCurrent()) member.assigned.set(partition, offset + 1);
      },
      async commit(offset) {
        if (!isCurrent()) throw new Error('The group has rebalanced.');
        group.committed.set(partitionKey(partition), offset + 1);
      },
    };
    const pause = await options.onBatch(batch);
    busy.delete(partition);
    if (pause !== null) {
      paused.add(partition);
      client.schedule(pause, () => {
        paused.delete(partition);
        fetchAll(group, member);
      });
    }
    fetchAll(group, member);
  }

  function append(partition: Partition, message: OutgoingMessage): void {
    const headers = Object.fromEntries(
      Object.entries(message.headers).map(([name, text]) => [name, Buffer.from(text)]),
    );
    const [key, value] = [Buffer.from(message.key), Buffer.from(message.value)];
    partition.messages.push({ offset: partition.messages.length, key, value, headers });
  }

  function wakeConsumers(topic: string): void {
    for (const group of groups.values()) {
      for (const member of group.members) {
        if (member.options.topics.includes(topic))
          member.client.schedule(dice.between(0, 5), () => fetchAll(group, member));
      }
    }
  }

  function join(client: Client, options: ConsumeOptions): GroupMember {
    const group = groupOf(options.group);
    const member: Member = {
      options,
      client,
      lastHeard: client.now(),
      assigned: new Map(),
      busy: new Set(),
      paused: new Set(),
      isStopping: false,
    };
    let endBeats = () => {};

    function enter(): void {
      if (member.isStopping) return;
      member.lastHeard = client.now();
      group.members.add(member);
      rebalance(group);
    }
    function beat(): void {
      if (member.isStopping) return;
      member.lastHeard = client.now();
      if (!group.members.has(member)) {
        note('a consumer rejoined its group after a pause');
        enter();
      }
      dropSilent(group, client.now());
      endBeats = client.schedule(HEARTBEAT_MS, beat);
    }
    const joined = new Promise<void>((resolve, reject) => {
      client.schedule(dice.between(1, 100), () => {
        if (member.isStopping) return reject(new Error('The consumer was stopped before it joined.'));
        enter();
        beat();
        resolve();
      });
    });
    return {
      joined,
      async stop() {
        member.isStopping = true;
        endBeats();
        while (member.busy.size > 0) await new Promise<void>((done) => client.schedule(5, done));
        if (group.members.delete(member)) rebalance(group);
      },
    };
  }

  function dropSilent(group: Group, now: number): void {
    const silent = [...group.members].filter(({ lastHeard }) => now - lastHeard > SESSION_TIMEOUT_MS);
    for (const member of silent) group.members.delete(member);
    if (silent.length > 0) rebalance(group);
  }

  return {
    connect: (client) => ({
      async createTopics(asked) {
        for (const { name } of asked) partitionsOf(name);
        return [];
      },
      partitionOf: async (topic, key) => sumOf(key) % partitionsOf(topic).length,
      async send(to, messages) {
        const partition = partitionsOf(to.topic)[to.partition];
        if (!partition) throw new Error(`There is no partition ${to.partition} of ${to.topic}.`);
        for (const message of messages) {
          append(partition, message);
          const { ce_id: id = '' } = message.headers;
          if (published.has(id)) note('a commit was published again');
          published.add(id);
        }
        wakeConsumers(to.topic);
        return [to];
      },
      consume: (options) => join(client, options),
      async positions(name, asked): Promise<PartitionPosition[]> {
        const group = groupOf(name);
        return asked.flatMap(partitionsOf).map(({ topic, partition, messages }) => ({
          topic,
          partition,
          next: group.committed.get(partitionKey({ topic, partition })) ?? 0,
          end: messages.length,
        }));
      },
      async close() {},
    }),
    loseNewest(by) {
      const filled = [...topics.values()].flat().filter(({ messages }) => messages.length > 0);
      if (filled.length === 0) return 0;
      const partition = by.pick(filled);
      const lost = by.between(1, Math.min(5, partition.messages.length));
      const end = partition.messages.length - lost;
      partition.messages.length = end;
      for (const { committed, members } of groups.values()) {
        const key = partitionKey(partition);
        committed.set(key, Math.min(committed.get(key) ?? 0, end));
        for (const { assigned } of members) {
          const next = assigned.get(partition);
          if (next !== undefined) assigned.set(partition, Math.min(next, end));
        }
      }
      return lost;
    },
  };
}

function sumOf(key: string): number {
  return [...key].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_003, 7);
}
