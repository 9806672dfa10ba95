/** The requests of one connection of kafkajs, as far as this file knows them. */
export interface RequestQueue {
  /** those that wait for their turn or for the end of a throttling */
  readonly pending: readonly unknown[];
  /** has them looked at again after a while */
  scheduleCheckPendingRequests(): void;
}

/**
 * Has these queues look again after a while only where a request waits. kafkajs (2.2.4) looks again whether one waits or
 * not, after a time that is below zero, so that each of its connections wakes its process about a thousand times a second
 * (tulios/kafkajs#1704, not mended there). A request that comes to wait later asks for its look itself.
 * @throws Error where the library's queues have changed: then this has to be looked at anew
 */
export function restWhenIdle(prototype: RequestQueue | undefined): void {
  const schedule = prototype?.scheduleCheckPendingRequests;
  if (!prototype || typeof schedule !== 'function')
    throw new Error('This version of kafkajs queues its requests in another way.');

  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) schedule.call(this);
  };
}
