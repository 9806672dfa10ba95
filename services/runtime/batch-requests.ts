export interface Batched<Request, Reply> {
  (request: Request): Promise<Reply>;
  /** Rejects the requests that were not sent yet. */
  rejectWaiting(error: unknown): void;
}

export interface BatchSettings<Request, Reply> {
  /** Returns a reply for each request in order; an Error fails that request alone. */
  readonly send: (requests: readonly Request[]) => Promise<readonly (Reply | Error)[]>;
  /** a number, or how many of the waiting requests, counted from the first, fit in the next batch (at least 1) */
  readonly maxBatchSize: number | ((waiting: readonly Request[]) => number);
  /** with more than one, a slow batch delays fewer requests */
  readonly maxInFlight: number;
  /** whether the requests of a batch that failed like this are sent one by one, so that one fault does not fail the others */
  readonly sendAlone?: (error: unknown) => boolean;
}

interface Waiting<Request, Reply> {
  readonly request: Request;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

/** Requests of one turn of the event loop share a batch. None joins one in flight: no reply is older than its request. */
export function batchRequests<Request, Reply>(settings: BatchSettings<Request, Reply>): Batched<Request, Reply> {
  const { send, maxBatchSize, maxInFlight, sendAlone = () => false } = settings;
  const waiting: Waiting<Request, Reply>[] = [];
  let inFlight = 0;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || waiting.length === 0 || inFlight >= maxInFlight) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      sendNext();
      schedule();
    });
  }

  function sendNext(): void {
    const size = typeof maxBatchSize === 'number' ? maxBatchSize : maxBatchSize(waiting.map(({ request }) => request));
    const batch = waiting.splice(0, size);
    if (batch.length > 0) void sendBatch(batch);
  }

  async function sendBatch(batch: readonly Waiting<Request, Reply>[]): Promise<void> {
    inFlight += 1;
    try {
      const replies = await send(batch.map(({ request }) => request));
      batch.forEach(({ resolve, reject }, index) => {
        const reply = replies[index];
        if (reply instanceof Error) reject(reply);
        else resolve(reply as Reply);
      });
    } catch (error) {
      const isSplit = batch.length > 1 && sendAlone(error);
      for (const one of batch) {
        if (isSplit) void sendBatch([one]);
        else one.reject(error);
      }
    } finally {
      inFlight -= 1;
      schedule();
    }
  }

  const batched = (request: Request) =>
    new Promise<Reply>((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      schedule();
    });
  const rejectWaiting = (error: unknown) => {
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  return Object.assign(batched, { rejectWaiting });
}
