import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useSelector } from 'react-redux';
import { saveFile } from '../ui/save-file.ts';
import { toast } from '../ui/toasts.tsx';
import { problemText, refusal, unreachable } from './problem.ts';
import { selectToken } from './shop-api.ts';

/**
 * Fetches a CSV file. Calls `fetch` directly, because `shopApi` only parses JSON and a plain link wouldn't send the
 * token. Throws a ShopError if the request fails.
 */
async function fetchCsv(path: string, token: string | null): Promise<Blob> {
  const headers = { accept: 'text/csv', authorization: `Bearer ${token}` };
  const fail = () => {
    throw unreachable();
  };
  const answer = await fetch(new URL(path, window.location.origin).href, { headers }).catch(fail);
  if (!answer.ok) throw refusal(answer.status, await answer.json().catch(() => null));
  return answer.blob().catch(fail);
}

type CsvLinkProps = Omit<CsvButtonProps, 'load'> & { path: string };

/** Saves the CSV file at `path`, which needs the session's token. */
export function CsvDownload({ path, ...button }: CsvLinkProps) {
  const token = useSelector(selectToken);
  return <CsvButton {...button} load={() => fetchCsv(path, token)} />;
}

interface CsvButtonProps {
  load: () => Promise<Blob>;
  /** the name under which the file is saved */
  name: string;
  /** the accessible name, if there are several such buttons on the page */
  label?: string;
}

/** Saves what `load` returns as a CSV file. Says why if that fails. */
export function CsvButton({ load, name, label }: CsvButtonProps) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      saveFile(await load(), name);
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
      aria-label={label}
      onClick={save}
    >
      CSV
    </Button>
  );
}
