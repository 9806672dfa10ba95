/** The requests of one kafkajs connection. */
export interface RequestQueue {
  /** waiting for their turn or for the end of a throttling */
  readonly pending: readonly unknown[];
  /** checks them again after a while */
  scheduleCheckPendingRequests(): void;
}

/**
 * Polls a connection's queue only while a request is pending. kafkajs 2.2.4 computes a negative delay and polls always: each
 * connection wakes its process a thousand times a second (tulios/kafkajs#1704). Later requests start their own poll. @throws
 * Error where a newer kafkajs has changed its queue
 */
export function restWhenIdle(prototype: RequestQueue | undefined): void {
  const schedule = prototype?.scheduleCheckPendingRequests;
  if (!prototype || typeof schedule !== 'function')
    throw new Error('This version of kafkajs queues its requests in another way.');

  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) schedule.call(this);
  };
}
