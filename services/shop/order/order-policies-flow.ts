import { parseStreamName } from '../../contracts/ids.ts';
import type { Policies } from '../../engine/projector/policies.ts';
import { orderDecider } from './decide-order.ts';
import { finishPlacement, returnStock } from './place-order-flow.ts';

export const orderPolicies: Policies = {
  /** Completes a placement that was interrupted after the stock was taken (ORD1). */
  async StockReduced({ handler, metaOf }, event) {
    const { orderId, productId } = event.data.draft;
    const { state } = await handler.load(orderDecider, orderId);
    if (state.status !== 'absent' && state.productId === productId) return true;
    await finishPlacement(handler, event.data, metaOf(event, 'finish-placement'));
    return true;
  },

  /** Puts a cancelled order's pieces back in stock exactly once, even if the product has been removed (ORD5). */
  async OrderCancelled({ handler, metaOf }, event) {
    const { id: orderId } = parseStreamName(event.subject);
    const { productId, quantity } = event.data;
    const outcome = await returnStock(handler, { orderId, productId, quantity }, metaOf(event, 'return-stock'));
    if (outcome.kind === 'refused') throw new Error(`Could not restock product ${productId}: ${outcome.refusal.code}.`);
    return true;
  },
};
