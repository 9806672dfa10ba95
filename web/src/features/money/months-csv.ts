import { digitsOf } from '@micro-center/services/contracts/ledger/amounts.ts';
import type { LedgerPeriod } from '@micro-center/services/contracts/ledger/ledger.ts';

export const FIGURES = ['charged', 'refunded', 'disputed', 'fee', 'other', 'net', 'paidOut'] as const;
/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Writes the totals of months as CSV, one line for each month and currency. Amounts are plain numbers in whole units, so
 * that a spreadsheet can sum up a currency's lines.
 */
export function monthsCsv(periods: readonly LedgerPeriod[]): string {
  const lines = periods.flatMap((sums) => {
    const currencies = new Set(FIGURES.flatMap((figure) => Object.keys(sums[figure])));
    return [...currencies].sort().map((currency) => {
      const digits = digitsOf(currency);
      const amounts = FIGURES.map((figure) => ((sums[figure][currency] ?? 0) / 10 ** digits).toFixed(digits));
      return [sums.period, currency, ...amounts].join(',');
    });
  });
  return `${BYTE_ORDER_MARK}${[['month', 'currency', ...FIGURES].join(','), ...lines].join('\r\n')}\r\n`;
}
