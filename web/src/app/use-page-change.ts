import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';

/**
 * What a change of page is to whoever does not see it: the keyboard's place moves to the new page's heading, or it would stay
 * on the link that led there, and `announced` is the new title. `content` holds the page; it takes the place where the page
 * has no heading yet.
 */
export function usePageChange() {
  const content = useRef<HTMLDivElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (!content.current?.contains(document.activeElement)) placeOf(content.current)?.focus({ preventScroll: true });
  }, [pathname]);
  return { content, announced: useNewTitle() };
}

function placeOf(content: HTMLElement | null): HTMLElement | null {
  const heading = content?.querySelector('h1') ?? null;
  if (heading !== null) heading.tabIndex = -1;
  return heading ?? content;
}

/** The document's title once it has changed: the first one is read out by the screen reader itself. */
function useNewTitle(): string {
  const [title, setTitle] = useState('');
  useEffect(() => {
    const observer = new MutationObserver(() => setTitle(document.title));
    const element = document.querySelector('title');
    if (element !== null) observer.observe(element, { childList: true });
    return () => observer.disconnect();
  }, []);
  return title;
}
