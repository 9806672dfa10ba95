import type { BrowserHost, CloseReason } from '../../services/whole-shop/simulation/browser.ts';
import type { LiveClient } from '../src/live/live-socket.ts';

const RECONNECT = { first: 500, longest: 5_000 };

type Handler = (content: never) => void;
type Closed = (reason: string) => void;

/**
 * Returns a socket.io client whose connections the simulation carries. It reconnects by itself after it lost a
 * connection or found no server, but not after the server has closed or refused the connection.
 */
export function createSimulatedSocket(host: BrowserHost, auth: () => unknown): LiveClient {
  const handlers = new Map<string, Handler>();
  let state: 'idle' | 'connecting' | 'connected' | 'waiting' = 'idle';
  let failures = 0;
  let hangUp = () => {};
  let cancelWait = () => {};
  let onEngineClosed: Closed[] = [];
  const happens = (event: string, content?: unknown) => handlers.get(event)?.(content as never);

  function dial(): void {
    state = 'connecting';
    onEngineClosed = [];
    hangUp = host.dial(auth(), {
      failed() {
        wait();
        happens('connect_error', new Error('timeout'));
      },
      connected() {
        state = 'connected';
        failures = 0;
        happens('connect');
      },
      refused(reason) {
        state = 'idle';
        happens('connect_error', new Error(reason));
      },
      message: happens,
      closed: lose,
    });
  }
  function lose(reason: CloseReason): void {
    const wasConnected = state === 'connected';
    const listeners = onEngineClosed;
    if (reason === 'io server disconnect') state = 'idle';
    else wait();
    if (wasConnected) happens('disconnect', reason);
    for (const tell of listeners.splice(0)) tell(reason);
  }
  function wait(): void {
    state = 'waiting';
    failures += 1;
    const longest = Math.min(RECONNECT.longest, RECONNECT.first * 2 ** (failures - 1));
    cancelWait = host.schedule(longest * (0.5 + host.random()), dial);
  }

  const socket = {
    get active() {
      return state !== 'idle';
    },
    on(event: string, handler: Handler) {
      handlers.set(event, handler);
      return socket;
    },
    connect() {
      if (state === 'idle') dial();
      return socket;
    },
    disconnect() {
      const wasConnected = state === 'connected';
      state = 'idle';
      cancelWait();
      hangUp();
      if (wasConnected) happens('disconnect', 'io client disconnect');
      return socket;
    },
    io: { engine: { once: (_event: 'close', listener: Closed) => void onEngineClosed.push(listener) } },
  };
  return socket as unknown as LiveClient;
}
