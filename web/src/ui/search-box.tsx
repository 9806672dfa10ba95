import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { LONGEST_SEARCH } from '@micro-center/services/contracts/search-text.ts';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigation, useSearchParams } from 'react-router-dom';

/** How long nothing is typed before a search begins, in milliseconds. */
const PAUSE = 250;

/** What `q` in the page's address asks for; undefined where nothing is searched. */
export function useSearchText(): string | undefined {
  const [params] = useSearchParams();
  return params.get('q')?.trim() || undefined;
}

/** Changes one parameter of the page's address in place: a search or a filter is no page of its own to go back to. */
export function useSearchParam(name: string): (value: string | undefined) => void {
  const [, setParams] = useSearchParams();
  return (value) =>
    setParams(
      (params) => {
        if (value) params.set(name, value);
        else params.delete(name);
        return params;
      },
      { replace: true, preventScrollReset: true },
    );
}

interface SearchBoxProps {
  label: string;
  placeholder: string;
  /** what is searched for now; '' for nothing */
  q: string;
  /** told a moment after what is typed, or at once by Enter */
  onSearch: (q: string) => void;
  size?: 'sm' | 'md';
  className?: string | undefined;
}

/** A search that is sent while one types. */
export function SearchBox({ label, placeholder, q, onSearch, size = 'sm', className }: SearchBoxProps) {
  const { typed, type, send } = useTyped(q, onSearch);
  return (
    <TextInput
      type="search"
      size={size}
      className={className}
      aria-label={label}
      placeholder={placeholder}
      maxLength={LONGEST_SEARCH}
      enterKeyHint="search"
      autoComplete="off"
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      rightSection={typed === '' ? null : <CloseButton size="sm" aria-label="Clear search" onClick={() => type('')} />}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && send()}
      flex="1 1 240px"
      maw={480}
    />
  );
}

/** Keeps what is searched for in the page's address, as `q`. */
export function AddressSearchBox(box: Pick<SearchBoxProps, 'label' | 'placeholder'>) {
  return <SearchBox {...box} q={useSearchText() ?? ''} onSearch={useSearchParam('q')} />;
}

/** The text in the box: ahead of `q` while somebody types, and behind it after Back or a cleared filter. */
function useTyped(q: string, onSearch: (q: string) => void) {
  const [typed, setTyped] = useState(q);
  const sent = useRef(q);
  const { state } = useNavigation();
  const later = useDebouncedCallback((text: string) => {
    // Whoever is on the way to another page is not to be called back by what was typed before.
    if (state !== 'idle' || text.trim() === sent.current) return;
    sent.current = text.trim();
    onSearch(sent.current);
  }, PAUSE);
  useEffect(() => {
    if (q === sent.current) return;
    sent.current = q;
    later.cancel();
    setTyped(q);
  }, [q, later]);
  const type = (text: string) => {
    setTyped(text);
    later(text);
  };
  return { typed, type, send: () => later.flush() };
}
