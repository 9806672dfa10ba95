import type { IncomingMessage, OutgoingMessage } from './kafka-cluster.ts';

/** Returns the messages as a consumer reads them, with offsets that start at `from`. */
export function asRead(messages: readonly OutgoingMessage[], from = 0): IncomingMessage[] {
  return messages.map(({ key, value, headers }, index) => ({
    offset: from + index,
    key: Buffer.from(key),
    value: Buffer.from(value),
    headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)])),
  }));
}
