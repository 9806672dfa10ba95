import type { Amounts as Sums } from '@micro-center/services/contracts/ledger/amounts.ts';
import { formatAmounts } from './money-format.ts';
import styles from './money-page.module.css';

/** Amounts of money, one line for each currency. A dash stands for no money. */
export function Amounts({ of }: { of: Sums }) {
  const lines = formatAmounts(of);
  if (lines.length === 0) return <span data-empty>–</span>;
  return lines.map((line) => (
    <span key={line} className={styles.amount}>
      {line}
    </span>
  ));
}
