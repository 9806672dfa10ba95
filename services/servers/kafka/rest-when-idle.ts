/** The request queue of one kafkajs connection. */
export interface RequestQueue {
  /** requests waiting for their turn, or for throttling to end */
  readonly pending: readonly unknown[];
  /** checks the pending requests again after a delay */
  scheduleCheckPendingRequests(): void;
}

/**
 * Makes kafkajs poll a connection's queue only while a request is pending. The next request starts the polling again.
 * Without this change, kafkajs 2.2.4 never stops polling, because it computes a negative delay. Each connection then
 * wakes its process a thousand times a second (tulios/kafkajs#1704).
 * @throws Error if a newer kafkajs has changed its queue
 */
export function restWhenIdle(prototype: RequestQueue | undefined): void {
  const schedule = prototype?.scheduleCheckPendingRequests;
  if (!prototype || typeof schedule !== 'function')
    throw new Error('This version of kafkajs queues its requests in another way.');

  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) schedule.call(this);
  };
}
