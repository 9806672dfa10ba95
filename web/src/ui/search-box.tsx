import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigation, useSearchParams } from 'react-router-dom';

/** How long nothing is typed before a search begins, in milliseconds. */
const PAUSE = 250;
const LONGEST = 200;

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

/** Keeps `q` in the page's address, a moment after what is typed. */
export function SearchBox({ label, placeholder }: { label: string; placeholder: string }) {
  const searched = useSearchText() ?? '';
  const search = useSearchParam('q');
  const [typed, setTyped] = useState(searched);
  const sent = useRef(searched);
  const { state } = useNavigation();
  const later = useDebouncedCallback((words: string) => {
    // Whoever is on the way to another page is not to be called back by what was typed before.
    if (state !== 'idle') return;
    sent.current = words;
    search(words);
  }, PAUSE);
  // An address that this box has not made brings its own words; what is typed meanwhile is not to be lost to its own.
  useEffect(() => {
    if (searched === sent.current) return;
    sent.current = searched;
    setTyped(searched);
  }, [searched]);
  const type = (words: string) => {
    setTyped(words);
    later(words.trim());
  };
  return (
    <TextInput
      type="search"
      size="sm"
      aria-label={label}
      placeholder={placeholder}
      maxLength={LONGEST}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      rightSection={typed === '' ? null : <CloseButton size="sm" aria-label="Clear search" onClick={() => type('')} />}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      flex="1 1 240px"
      maw={400}
    />
  );
}
