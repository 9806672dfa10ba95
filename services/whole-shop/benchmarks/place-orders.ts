import autocannon, { type Options, type Request, type Result } from 'autocannon';
import { orderOf, type Person } from '../shop-client.fixture.ts';
import { quantile } from './statistics.ts';

/** The results of one call to placeOrders(). */
export interface Stretch {
  readonly perSecond: number;
  readonly placed: number;
  readonly refused: number;
  /** the time from the first request to the last response */
  readonly seconds: number;
  /** the 50th percentile of the response times, in ms; `p99` is the 99th percentile */
  readonly p50: number;
  readonly p99: number;
}

/** The orders to place, the buyers who place them, and the URLs to send them to. */
export interface Load {
  /** the URLs of the API processes, each of which gets an equal share of the connections */
  readonly urls: readonly string[];
  readonly buyers: readonly Person[];
  readonly products: readonly string[];
  /** the number of orders in flight at a time */
  readonly atOnce: number;
  /** when to stop: after a time in seconds, or after a number of requests */
  readonly amount: { readonly seconds: number } | { readonly requests: number };
}

/** A response that takes longer than this counts as a timeout. The limit is high because a busy machine may be slow. */
const ANSWER_WITHIN_S = 60;

interface OrderAnswer {
  readonly status: number;
  /** the time from the request to the response */
  readonly ms: number;
}

/**
 * Places orders, taking the buyers and products in turn.
 * @throws Error if a response has a status other than 201 or 422
 */
export async function placeOrders(load: Load): Promise<Stretch> {
  const answers: OrderAnswer[] = [];
  const began = performance.now();
  let ended = began;
  await Promise.all(
    load.urls.map((url, index) =>
      fire(url, load, index, (answer) => {
        answers.push(answer);
        ended = performance.now();
      }),
    ),
  );
  const placed = answers.filter(({ status }) => status === 201).length;
  const refused = answers.filter(({ status }) => status === 422).length;
  if (placed + refused < answers.length || placed === 0) {
    throw new Error(
      `The load failed with response statuses ${JSON.stringify([...new Set(answers.map(({ status }) => status))])}.`,
    );
  }
  const seconds = (ended - began) / 1000;
  const took = answers.map(({ ms }) => ms);
  return {
    perSecond: answers.length / seconds,
    placed,
    refused,
    seconds,
    p50: quantile(took, 0.5),
    p99: quantile(took, 0.99),
  };
}

/** Sends one API process its share of the orders. */
async function fire(
  url: string,
  { urls, buyers, products, atOnce, amount }: Load,
  index: number,
  onAnswer: (answer: OrderAnswer) => void,
): Promise<void> {
  const requests = products.map((productId, n) => placing(buyers[n % buyers.length], productId));
  let connection = index;
  const options: Options = {
    url,
    connections: atOnce / urls.length,
    requests,
    timeout: ANSWER_WITHIN_S,
    // Connections start at different points in the list of products. Otherwise, they would all order the same product
    // at the same time.
    setupClient(client) {
      const start = Math.floor((connection * requests.length) / atOnce);
      client.setRequests([...requests.slice(start), ...requests.slice(0, start)]);
      connection += urls.length;
    },
    ...('seconds' in amount ? { duration: amount.seconds } : { amount: amount.requests / urls.length }),
  };
  const { errors, timeouts } = await new Promise<Result>((resolve, reject) => {
    const running = autocannon(options, (error: Error | null, result) => (error ? reject(error) : resolve(result)));
    running.on('response', (_client, status, _bytes, ms) => onAnswer({ status, ms }));
  });
  if (errors > 0 || timeouts > 0) throw new Error(`The load failed: ${errors} errors, ${timeouts} timeouts.`);
}

function placing(buyer: Person | undefined, productId: string): Request {
  if (!buyer) throw new Error('The load needs at least one buyer.');
  return {
    method: 'POST',
    path: '/orders',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${buyer.token}` },
    body: JSON.stringify(orderOf(buyer, productId)),
  };
}
