/** A producer that numbers its messages, so that the broker can recognise duplicates. */
export interface SequencedProducer<Message, Reply> {
  send(message: Message): Promise<Reply>;
  disconnect(): Promise<void>;
}

interface Connection<Message, Reply> {
  readonly producer: Promise<SequencedProducer<Message, Reply>>;
  inHand: number;
}

/**
 * Returns a wrapper that switches to a new producer after each failed send. The failed message may have been written
 * anyway, and the old producer would reuse that message's sequence number for the next one. The broker would then
 * mistake the next message for a duplicate, and acknowledge it without storing it.
 */
export function createFreshProducer<Message, Reply>(
  connect: () => Promise<SequencedProducer<Message, Reply>>,
): SequencedProducer<Message, Reply> {
  const open = new Set<Connection<Message, Reply>>();
  let current: Connection<Message, Reply> | null = null;
  let closed = false;

  function newConnection(): Connection<Message, Reply> {
    const connection = { producer: connect(), inHand: 0 };
    open.add(connection);
    return connection;
  }

  async function disconnect(connection: Connection<Message, Reply>): Promise<void> {
    open.delete(connection);
    try {
      await (await connection.producer).disconnect();
    } catch {
      // If disconnecting fails, the producer never connected or its broker is down, so there is nothing left to
      // disconnect.
    }
  }

  return {
    async send(message) {
      if (closed) throw new Error('The producer is closed.');
      current ??= newConnection();
      const connection = current;
      connection.inHand += 1;
      try {
        const producer = await connection.producer;
        return await producer.send(message);
      } catch (error) {
        if (current === connection) current = null;
        throw error;
      } finally {
        connection.inHand -= 1;
        // The old producer may still be sending to other partitions, so it is disconnected only after its last send has
        // ended.
        if (connection !== current && connection.inHand === 0 && open.has(connection)) void disconnect(connection);
      }
    },
    async disconnect() {
      closed = true;
      await Promise.all([...open].map(disconnect));
    },
  };
}
