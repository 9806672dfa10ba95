import { toPoisha } from '@micro-center/services/contracts/money.ts';
import facts from '../../ui/facts.module.css';
import { formatTaka } from '../../ui/format.ts';

interface OrderSumProps {
  quantity: number;
  /** in taka, for one unit */
  price: number;
  /** in whole taka */
  total: number;
}

/** Shows how a total is calculated: the price of all units, the delivery charge, and rounding down to whole taka (K1). */
export function OrderSum({ quantity, price, total }: OrderSumProps) {
  const poisha = toPoisha(price) * quantity;
  const cut = poisha - total * 100;
  return (
    <dl className={facts.receipt}>
      <dt>
        {quantity} × {formatTaka(price)}
      </dt>
      <dd>{formatTaka(poisha / 100)}</dd>
      {cut > 0 ? (
        <>
          <dt>Rounded down</dt>
          <dd>−{formatTaka(cut / 100)}</dd>
        </>
      ) : null}
      <dt>Delivery</dt>
      <dd>Included</dd>
      <dt className={facts.total}>Total</dt>
      <dd className={facts.total}>{formatTaka(total)}</dd>
    </dl>
  );
}
