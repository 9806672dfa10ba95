import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import type { ReactNode } from 'react';
import { RowBadge } from '../../ui/row-parts.tsx';
import styles from './order-board.module.css';

type Reason = NonNullable<OrderView['heldBack']>;

/** Says why a paid order can't be shipped (ORD14). Completes 'MC-1042 cannot be shipped: ...'. */
export const WHY_HELD_BACK: Readonly<Record<Reason, string>> = {
  refunded: 'its money went back to the customer.',
  disputed: 'the customer’s bank took back its money.',
  erased: 'its customer’s data was erased, so it has no address.',
  lost: 'its money is lost, because the bank decided for the customer.',
};

/** A narrow row of the board has room only for the first word. */
const DISPUTED = (
  <>
    Disputed <span className={styles.source}>by the bank</span>
  </>
);

const BADGES: Readonly<Record<Reason, ReactNode>> = {
  refunded: 'Refunded',
  disputed: DISPUTED,
  lost: 'Money lost',
  erased: 'Erased',
};

/** Shown in place of DELIVER. */
export function HeldBackBadge({ reason }: { reason: Reason }) {
  return (
    <RowBadge
      tone={reason === 'disputed' ? 'low' : 'gone'}
      title={`This order cannot be shipped: ${WHY_HELD_BACK[reason]}`}
    >
      {BADGES[reason]}
    </RowBadge>
  );
}
