import { CsvDownload } from '../../api/csv-button.tsx';
import { withQuery } from '../../api/shop-api.ts';
import type { BoardView } from './admin-orders.api.ts';

/** Saves all orders that match the board's filter and search as a CSV file, including those not loaded yet. */
export const ExportButton = ({ view: { status, q } }: { view: BoardView }) => (
  <CsvDownload
    path={withQuery('/board/export', { status, q })}
    name={`orders${status === undefined ? '' : `-${status}`}.csv`}
  />
);
