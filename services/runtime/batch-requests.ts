export interface Batched<Request, Reply> {
  (request: Request): Promise<Reply>;
  /** Rejects the requests that haven't been sent yet. */
  rejectWaiting(error: unknown): void;
}

export interface BatchSettings<Request, Reply> {
  /** Returns one reply per request, in order. A reply that is an Error fails only its own request. */
  readonly send: (requests: readonly Request[]) => Promise<readonly (Reply | Error)[]>;
  /** the maximum batch size, or a function that returns how many of the waiting requests fit in the next batch (at least 1) */
  readonly maxBatchSize: number | ((waiting: readonly Request[]) => number);
  /** the maximum number of batches in flight; with more than one, a slow batch delays fewer requests */
  readonly maxInFlight: number;
  /** whether to resend the requests of a batch one by one after this error, so that one bad request doesn't fail the others */
  readonly sendAlone?: (error: unknown) => boolean;
}

interface Waiting<Request, Reply> {
  readonly request: Request;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches the requests that are made in the same turn of the event loop, or that have to wait for a batch in flight. A
 * request never joins a batch that is already in flight, so its reply is never older than the request.
 */
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
