import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useSelector } from 'react-redux';
import { problemText, refusal, unreachable } from '../../api/problem.ts';
import { withQuery } from '../../api/shop-api.ts';
import { selectAccessToken } from '../../session/session-slice.ts';
import { saveFile } from '../../ui/save-file.ts';
import { toast } from '../../ui/toasts.tsx';
import type { BoardView } from './admin-orders.api.ts';

/**
 * Fetches all of a view's orders as CSV. Calls `fetch` directly, because `shopApi` only parses JSON and a plain link
 * wouldn't send the token. Throws a ShopError if the request fails.
 */
async function fetchExport({ status, q }: BoardView, token: string | null): Promise<Blob> {
  const headers = { accept: 'text/csv', authorization: `Bearer ${token}` };
  const address = new URL(withQuery('/board/export', { status, q }), window.location.origin).href;
  const fail = () => {
    throw unreachable();
  };
  const answer = await fetch(address, { headers }).catch(fail);
  if (!answer.ok) throw refusal(answer.status, await answer.json().catch(() => null));
  return answer.blob().catch(fail);
}

/** Saves all orders that match the board's filter and search as a CSV file, including those not loaded yet. */
export function ExportButton({ view }: { view: BoardView }) {
  const token = useSelector(selectAccessToken);
  const [busy, setBusy] = useState(false);
  const exportOrders = async () => {
    setBusy(true);
    try {
      const file = await fetchExport(view, token);
      saveFile(file, `orders${view.status ? `-${view.status}` : ''}.csv`);
    } catch (error) {
      toast.error(problemText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      size="xs"
      variant="default"
      loading={busy}
      leftSection={<IconDownload size={16} aria-hidden="true" />}
      onClick={exportOrders}
    >
      CSV
    </Button>
  );
}
