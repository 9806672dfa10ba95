import autocannon from 'autocannon';
import { orderOf, type Person } from '../e2e/shop-client.fixture.ts';

export const CONCURRENCY = 64;

/** One measured stretch of load. */
export interface Stretch {
  readonly perSecond: number;
  readonly placed: number;
  readonly refused: number;
  readonly seconds: number;
  /** latency of an answer in ms, 50th and 99th percentile */
  readonly p50: number;
  readonly p99: number;
}

interface Load {
  readonly url: string;
  readonly buyers: readonly Person[];
  readonly products: readonly string[];
  /** how much: a time in seconds, or a number of requests */
  readonly amount: { readonly seconds: number } | { readonly requests: number };
}

/** Posts orders from all buyers for all products, 64 at once. @throws Error where anything but 201 or 422 is answered */
export async function placeOrders({ url, buyers, products, amount }: Load): Promise<Stretch> {
  const requests = products.map((productId, index) => {
    const buyer = buyers[index % buyers.length];
    if (!buyer) throw new Error('There is no buyer.');
    return {
      method: 'POST' as const,
      path: '/orders',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${buyer.token}` },
      body: JSON.stringify(orderOf(buyer, productId)),
    };
  });
  const result = await autocannon({
    url,
    connections: CONCURRENCY,
    requests,
    ...('seconds' in amount ? { duration: amount.seconds } : { amount: amount.requests }),
  });
  const placed = result['2xx'];
  const refused = result['4xx'];
  if (result.errors > 0 || result.timeouts > 0 || result['5xx'] > 0 || placed === 0) {
    throw new Error(`The load did not load: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors.`);
  }
  const seconds = (result.finish.getTime() - result.start.getTime()) / 1000;
  return {
    perSecond: (placed + refused) / seconds,
    placed,
    refused,
    seconds,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}
