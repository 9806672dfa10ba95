import { useSelector } from 'react-redux';
import { CsvButton, fetchCsv } from '../../api/csv-button.tsx';
import { withQuery } from '../../api/shop-api.ts';
import { selectAccessToken } from '../../session/session-slice.ts';
import type { BoardView } from './admin-orders.api.ts';

/** Saves all orders that match the board's filter and search as a CSV file, including those not loaded yet. */
export function ExportButton({ view: { status, q } }: { view: BoardView }) {
  const token = useSelector(selectAccessToken);
  const load = () => fetchCsv(withQuery('/board/export', { status, q }), token);
  return <CsvButton load={load} name={`orders${status ? `-${status}` : ''}.csv`} />;
}
