import { EventEmitter } from 'node:events';
import type { PubSubClient } from '../../servers/redis/redis-channel.ts';
import type { Link } from './network.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** A command fails after this time without a reply, and a silent connection is replaced after three times as long. */
const COMMAND_TIMEOUT_MS = 1_000;
const DEAD_AFTER_MS = 3 * COMMAND_TIMEOUT_MS;
const RECONNECT_MS = 1_000;

export type RedisFault = 'silent' | 'read-only' | null;
type RedisLink = Pick<Link, 'time' | 'dice' | 'faults' | 'isCut' | 'onFault'>;

/** A Redis server in memory that carries messages between the processes of one shop, and loses them if it has faults. */
export interface MemoryRedis {
  connect(process: Pick<SimulatedProcess, 'schedule' | 'run' | 'isAlive'>, link: RedisLink): PubSubClient;
  /**
   * Makes the server silent (nothing gets a reply, and nothing is delivered), or makes it a read-only replica, which
   * has lost its subscribers' connections to the publishers. Null ends the fault.
   */
  setFault(fault: RedisFault): void;
}

export function createMemoryRedis(): MemoryRedis {
  /** for each channel, a function for each subscribed connection, which delivers a text */
  const channels = new Map<string, Set<(text: string) => void>>();
  let fault: RedisFault = null;
  /** when the last published message arrives; messages arrive in the order in which they were published */
  let arrivesAt = 0;

  return {
    setFault(now) {
      fault = now;
    },
    connect(process, { time, dice, faults, isCut, onFault }) {
      const emitter = new EventEmitter();
      const subscriptions = new Map<string, (text: string) => void>();
      let status: 'connecting' | 'ready' | 'end' = 'connecting';
      let connection = 0;
      let silentSince: number | null = null;
      const isReachable = () => fault !== 'silent' && !isCut();

      function open(): void {
        if (status === 'end') return;
        if (!isReachable()) return void process.schedule(RECONNECT_MS, open);
        status = 'ready';
        silentSince = null;
        emitter.emit('ready');
      }
      function close(): void {
        if (status !== 'ready') return;
        status = 'connecting';
        connection += 1;
        for (const [channel, deliver] of subscriptions) channels.get(channel)?.delete(deliver);
        subscriptions.clear();
        emitter.emit('close');
        process.schedule(dice.between(50, RECONNECT_MS), open);
      }
      /** Carries out a command. Rejects if there is no connection or no reply. */
      function command(perform: () => unknown): Promise<unknown> {
        if (status !== 'ready') return Promise.reject(new Error('There is no connection.'));
        if (isReachable()) {
          silentSince = null;
          return Promise.resolve().then(perform);
        }
        const asked = connection;
        silentSince ??= time.now();
        const since = silentSince;
        return new Promise((_resolve, reject) => {
          process.schedule(COMMAND_TIMEOUT_MS, () => {
            reject(new Error('Redis does not reply.'));
            if (asked === connection && silentSince === since && time.now() - since >= DEAD_AFTER_MS) close();
          });
        });
      }
      process.schedule(dice.between(1, 20), open);

      return {
        get status() {
          return status;
        },
        on: (event: string, listener: (...args: never[]) => void) => emitter.on(event, listener as () => void),
        publish: (channel, text) =>
          command(() => {
            if (fault === 'read-only') return 0;
            const subscribed = [...(channels.get(channel) ?? [])];
            arrivesAt = Math.max(arrivesAt, time.now() + dice.between(0, 2 * faults.delay));
            time.schedule(arrivesAt - time.now(), () => {
              for (const deliver of subscribed) deliver(text);
            });
            return subscribed.length;
          }),
        set: () =>
          command(() => {
            if (fault !== 'read-only') return 'OK';
            close();
            throw new Error("READONLY You can't write against a read only replica.");
          }),
        subscribe: (channel) =>
          command(() => {
            const deliver = (text: string) => {
              if (!isReachable() || !process.isAlive()) return;
              if (faults.lost > 0 && dice.chance(faults.lost)) return onFault('lost', `a push on ${channel}`);
              process.run(() => {
                if (subscriptions.get(channel) === deliver) emitter.emit('message', channel, text);
              });
            };
            subscriptions.set(channel, deliver);
            channels.set(channel, (channels.get(channel) ?? new Set()).add(deliver));
            return 1;
          }),
        ping: () => command(() => 'PONG'),
        disconnect() {
          close();
          status = 'end';
        },
      };
    },
  };
}
