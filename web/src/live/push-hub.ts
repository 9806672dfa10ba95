import type { ViewKind } from '@micro-center/services/contracts/views.ts';
import type { VersionedPush } from './apply-push.ts';

/** How long the first fetches wait for the socket, so that one fetch serves where it connects at once, in milliseconds. */
export const FIRST_CONNECTION_PATIENCE = 400;

/** A push as its subscribers receive it. */
export type FollowedPush = VersionedPush & { kind: ViewKind };
export type PushListener = (push: FollowedPush) => void;

/** Publishes each parsed push to all subscribers, in the order of subscription. */
export interface PushHub {
  subscribe(listener: PushListener): () => void;
  publish(push: FollowedPush): void;
  /** Resolves once a fetch may start: at once, except while the first connection is being made. */
  untilJoined(): Promise<void>;
  /** Makes fetches wait for `open()`, at most `patience` milliseconds each. */
  close(patience: number): void;
  /** The rooms are joined. Returns whether a fetch started earlier, and so may have missed a push. */
  open(): boolean;
}

export function createPushHub(): PushHub {
  const listeners = new Set<PushListener>();
  let waiting = new Set<() => void>();
  let patience: number | null = null;
  let startedEarly = false;

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    publish(push) {
      for (const listener of [...listeners]) listener(push);
    },
    untilJoined() {
      if (patience === null) return Promise.resolve();
      const limit = patience;
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          startedEarly = true;
          waiting.delete(enter);
          resolve();
        }, limit);
        const enter = () => {
          clearTimeout(timer);
          resolve();
        };
        waiting.add(enter);
      });
    },
    close(limit) {
      patience = limit;
    },
    open() {
      const early = startedEarly;
      patience = null;
      startedEarly = false;
      const entering = waiting;
      waiting = new Set();
      for (const enter of entering) enter();
      return early;
    },
  };
}

/** The hub of the app's one socket. */
export const pushHub = createPushHub();
