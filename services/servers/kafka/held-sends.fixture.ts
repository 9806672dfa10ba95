import type { KafkaCluster, OutgoingMessage, TopicPartition } from './kafka-cluster.ts';

/** A send that waits for a test to end it. */
export interface HeldSend {
  readonly to: TopicPartition;
  readonly messages: readonly OutgoingMessage[];
  /** The broker's reply names these partitions; the one sent to where none are given. */
  reply(written?: readonly TopicPartition[]): void;
  fail(error: Error): void;
}

/** Brokers with two partitions a topic whose every send is held. */
export interface HeldSends {
  readonly cluster: Pick<KafkaCluster, 'partitionOf' | 'send'>;
  /** sends that have begun and not ended, oldest first */
  readonly open: HeldSend[];
  /** every send so far */
  readonly all: HeldSend[];
}

/** The partition is the last digit of the key, odd or even. */
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
