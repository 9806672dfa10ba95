import { orderOf, type Person } from '../shop-client.fixture.ts';

/** Orders at a steady rate, whether or not those before are answered. */
export interface SteadyOrders {
  /** Begins no more and waits for those in flight. @throws Error where one was not placed, or too few were begun */
  stop(): Promise<void>;
}

/** A busy machine may begin a few late; fewer than this part of them is another load than the one asked for. */
const BEGUN_AT_LEAST = 0.8;

/** Begins to place `perSecond` orders a second, of all buyers for all products in turns; none where that is 0. */
export function placeSteadily(buyers: readonly Person[], products: readonly string[], perSecond: number): SteadyOrders {
  const running: Promise<number>[] = [];
  const began = performance.now();
  const timer = perSecond > 0 ? setInterval(begin, 1_000 / perSecond) : undefined;

  function begin(): void {
    const buyer = buyers[running.length % buyers.length];
    const productId = products[running.length % products.length];
    if (!buyer || !productId) throw new Error('There is no buyer, or no product.');
    running.push(buyer.call('POST', '/orders', orderOf(buyer, productId)).then(({ status }) => status));
  }

  return {
    async stop() {
      clearInterval(timer);
      const due = Math.floor((perSecond * (performance.now() - began)) / 1_000);
      const notPlaced = (await Promise.all(running)).filter((status) => status !== 201).length;
      if (notPlaced > 0) throw new Error(`${notPlaced} of ${running.length} steady orders were not placed.`);
      if (running.length < BEGUN_AT_LEAST * due) throw new Error(`${running.length} of ${due} orders were begun.`);
    },
  };
}
