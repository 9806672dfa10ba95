import type { KafkaCluster, OutgoingMessage, TopicPartition } from './kafka-cluster.ts';

/** A send that stays in flight until the test ends it. */
export interface HeldSend {
  readonly to: TopicPartition;
  readonly messages: readonly OutgoingMessage[];
  /**
   * Ends the send with a reply that acknowledges these partitions, or by default, the partition that the messages were
   * sent to.
   */
  reply(written?: readonly TopicPartition[]): void;
  fail(error: Error): void;
}

/** Fake brokers with two partitions per topic. Every send stays in flight until the test ends it. */
export interface HeldSends {
  readonly cluster: Pick<KafkaCluster, 'partitionOf' | 'send'>;
  /** the sends in flight, oldest first */
  readonly open: HeldSend[];
  /** every send so far */
  readonly all: HeldSend[];
}

/** Keys that end in an even hex digit go to partition 0, and the others to partition 1. */
export function holdSends(): HeldSends {
  const open: HeldSend[] = [];
  const all: HeldSend[] = [];
  return {
    open,
    all,
    cluster: {
      partitionOf: async (_, key) => Number.parseInt(key.slice(-1), 16) % 2,
      send(to, messages) {
        return new Promise((resolve, reject) => {
          const end = () => open.splice(open.indexOf(held), 1);
          const held: HeldSend = {
            to,
            messages,
            reply(written = [to]) {
              end();
              resolve(written);
            },
            fail(error) {
              end();
              reject(error);
            },
          };
          open.push(held);
          all.push(held);
        });
      },
    },
  };
}
