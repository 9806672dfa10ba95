import DataLoader from 'dataloader';

/** Sends one request; it may share its batch with others. Rejects where that batch failed. */
export type Batched<Request, Reply> = (request: Request) => Promise<Reply>;

export interface BatchSettings<Request, Reply> {
  /** Sends a batch to a server; replies in the order of the requests, an Error for a request that alone has failed. */
  readonly send: (requests: readonly Request[]) => Promise<readonly (Reply | Error)[]>;
  readonly maxBatchSize: number;
  /** batches in flight: with more than one a slow batch holds up fewer requests */
  readonly maxInFlight: number;
}

/**
 * Batches requests to a server: those made in one turn of the event loop, and those made while `maxInFlight` batches are in
 * flight, go out together. No request joins a batch that was sent, so a reply is never older than its request. The busier
 * a process is, the fewer batches each request costs.
 */
export function batchRequests<Request, Reply>(settings: BatchSettings<Request, Reply>): Batched<Request, Reply> {
  const { send, maxBatchSize, maxInFlight } = settings;
  const backlog: (() => void)[] = [];
  let inFlight = 0;

  function schedule(dispatch: () => void): void {
    if (inFlight === maxInFlight) {
      backlog.push(dispatch);
      return;
    }
    inFlight += 1;
    setImmediate(dispatch);
  }

  async function sendBatch(requests: readonly Request[]) {
    try {
      return await send(requests);
    } finally {
      inFlight -= 1;
      const next = backlog.shift();
      if (next) schedule(next);
    }
  }

  const loader = new DataLoader<Request, Reply>(sendBatch, { cache: false, maxBatchSize, batchScheduleFn: schedule });
  return (request) => loader.load(request);
}
