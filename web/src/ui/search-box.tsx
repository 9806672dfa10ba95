import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { LONGEST_SEARCH } from '@micro-center/services/contracts/search-text.ts';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigation, useSearchParams } from 'react-router-dom';
import { LinkButton } from './link-button.tsx';
import { EmptyState } from './states.tsx';

/** How long to wait after the last keystroke before searching, in milliseconds. */
const PAUSE = 250;

/** The search text in the page's URL (`q`), or undefined if there is none. */
export function useSearchText(): string | undefined {
  const [params] = useSearchParams();
  return params.get('q')?.trim() || undefined;
}

/**
 * Returns a function that sets one parameter of the page's URL. The browser's Back button undoes the change, unless
 * `replace` is true.
 */
export function useSearchParam(name: string, { replace = false } = {}): (value: string | undefined) => void {
  const [, setParams] = useSearchParams();
  return (value) =>
    setParams(
      (params) => {
        if (value) params.set(name, value);
        else params.delete(name);
        return params;
      },
      { replace, preventScrollReset: true, flushSync: true },
    );
}

interface SearchBoxProps {
  label: string;
  placeholder: string;
  /** the current search text, or '' for no search */
  q: string;
  /** called shortly after the last keystroke, or immediately on Enter */
  onSearch: (q: string) => void;
  size?: 'sm' | 'md';
  className?: string | undefined;
}

/** A search box that searches as you type. */
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

/** Returns a function that sets the search text in the page's URL (`q`) without adding a history entry. */
export const useSearch = () => useSearchParam('q', { replace: true });

/** A search box that keeps its text in the page's URL. */
export function AddressSearchBox(box: Pick<SearchBoxProps, 'label' | 'placeholder'>) {
  return <SearchBox {...box} q={useSearchText() ?? ''} onSearch={useSearch()} />;
}

/** Leads to the page without its search and filters. `what` is a noun, e.g. 'products'. */
export const ShowAll = ({ what }: { what: string }) => (
  <LinkButton to="." variant="default" preventScrollReset>
    Show all {what}
  </LinkButton>
);

/** Shown if nothing matches the search `q`. `what` is a noun, e.g. 'product'. */
export const NoMatch = ({ what, q }: { what: string; q: string }) => (
  <EmptyState
    title={`No ${what} matches`}
    text={`Nothing was found for “${q}”. Try a shorter search, or show all ${what}s.`}
    action={<ShowAll what={`${what}s`} />}
  />
);

/**
 * The text in the box. It is newer than `q` while the user types, and is reset to `q` when the user goes back or clears
 * a filter.
 */
function useTyped(q: string, onSearch: (q: string) => void) {
  const [typed, setTyped] = useState(q);
  const sent = useRef(q);
  const { state } = useNavigation();
  const later = useDebouncedCallback((text: string) => {
    // A delayed search must not interrupt a navigation to another page.
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
