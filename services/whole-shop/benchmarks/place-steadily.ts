import { orderOf, type Person } from '../shop-client.fixture.ts';

/** A load generator that places orders at a steady rate, without waiting for the responses to earlier orders. */
export interface SteadyOrders {
  /**
   * Stops sending orders and waits for those in flight.
   * @throws Error if an order wasn't placed, or if too few orders were sent
   */
  stop(): Promise<void>;
}

/**
 * At least this share of the orders that are due when stop() is called must have been sent by then. The share is below
 * 1, because a busy machine may send a few orders late.
 */
const BEGUN_AT_LEAST = 0.8;

/**
 * Starts placing `perSecond` orders per second, and continues until stop() is called. Takes buyers and products in
 * turn. If `perSecond` is 0, places no orders.
 */
export function placeSteadily(buyers: readonly Person[], products: readonly string[], perSecond: number): SteadyOrders {
  const running: Promise<number>[] = [];
  const began = performance.now();
  const timer = perSecond > 0 ? setInterval(begin, 1_000 / perSecond) : undefined;

  function begin(): void {
    const buyer = buyers[running.length % buyers.length];
    const productId = products[running.length % products.length];
    if (!buyer || !productId) throw new Error('The load needs at least one buyer and one product.');
    running.push(buyer.call('POST', '/orders', orderOf(buyer, productId)).then(({ status }) => status));
  }

  return {
    async stop() {
      clearInterval(timer);
      const due = Math.floor((perSecond * (performance.now() - began)) / 1_000);
      const notPlaced = (await Promise.all(running)).filter((status) => status !== 201).length;
      if (notPlaced > 0)
        throw new Error(`${notPlaced} of the ${running.length} orders in the steady load were not placed.`);
      if (running.length < BEGUN_AT_LEAST * due) throw new Error(`Only ${running.length} of ${due} orders were sent.`);
    },
  };
}
