import DataLoader from 'dataloader';

/** Asks one question; the answer may have come with those of others. Rejects where its own trip failed. */
export type Ask<Question, Answer> = (question: Question) => Promise<Answer>;

export interface SharedTripsSettings<Question, Answer> {
  /** Asks a server all of these at once; answers in their order, an Error for a question that alone has failed. */
  readonly ask: (questions: readonly Question[]) => Promise<readonly (Answer | Error)[]>;
  /** the most questions of one trip */
  readonly most: number;
  /** trips under way at once: with more than one a slow trip holds up fewer */
  readonly atOnce: number;
}

/**
 * Lets questions share their way to a server and back: those that come in one turn of the event loop, and those that come
 * while `atOnce` trips are under way, go out together. No question joins a trip that has begun, so an answer is never
 * older than its question. The busier a process is, the fewer trips each question costs.
 */
export function shareTrips<Question, Answer>(settings: SharedTripsSettings<Question, Answer>): Ask<Question, Answer> {
  const { ask, most, atOnce } = settings;
  const waiting: (() => void)[] = [];
  let underWay = 0;

  function begin(dispatch: () => void): void {
    if (underWay === atOnce) {
      waiting.push(dispatch);
      return;
    }
    underWay += 1;
    setImmediate(dispatch);
  }

  async function travel(questions: readonly Question[]) {
    try {
      return await ask(questions);
    } finally {
      underWay -= 1;
      const next = waiting.shift();
      if (next) begin(next);
    }
  }

  const loader = new DataLoader<Question, Answer>(travel, { cache: false, maxBatchSize: most, batchScheduleFn: begin });
  return (question) => loader.load(question);
}
