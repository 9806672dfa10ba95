import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type CatalogueFilter, readFilter, writeFilter } from '../../shop/products/catalogue-filter.ts';

/** The filter that the address holds, and how to change it: Back leads to what was shown before. */
export function useCatalogueFilter(): [CatalogueFilter, (changes: Partial<CatalogueFilter>) => void] {
  const [address, setAddress] = useSearchParams();
  const filter = useMemo(() => readFilter(address), [address]);
  const change = (changes: Partial<CatalogueFilter>) => {
    // Typing on in a search is one step for Back, not one for each pause.
    const refined = filter.q !== '' && changes.q !== undefined && changes.q !== '';
    setAddress((current) => writeFilter(current, { ...readFilter(current), ...changes }), {
      replace: refined,
      preventScrollReset: true,
      // As a transition it would come late: the box that was ticked would be shown unticked until then.
      flushSync: true,
    });
  };
  return [filter, change];
}
