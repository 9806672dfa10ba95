import { useEffect } from 'react';

/** Names the browser's tab after the page: '{page} - Micro Center'. */
export function usePageTitle(page: string): void {
  useEffect(() => {
    document.title = `${page} - Micro Center`;
  }, [page]);
}
