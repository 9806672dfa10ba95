import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';

/**
 * Selects the elements that the server wrote into the first page's head. They are removed when the user navigates to
 * another page. Otherwise, a browser that shares the new page would use the first page's canonical URL.
 */
const FIRST_PAGE = 'link[rel=canonical],meta[property],meta[name=description],script[type$="ld+json"]';

/**
 * Announces page changes to screen readers. Moves the focus to the new page's heading or, if there is no heading yet,
 * to `content`, which is the page's container. If the focus is already inside `content`, it stays there. `announced` is
 * the new page's title.
 */
export function usePageChange() {
  const content = useRef<HTMLDivElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    for (const told of document.head.querySelectorAll(FIRST_PAGE)) told.remove();
    if (!content.current?.contains(document.activeElement)) placeOf(content.current)?.focus({ preventScroll: true });
  }, [pathname]);
  return { content, announced: useNewTitle() };
}

function placeOf(content: HTMLElement | null): HTMLElement | null {
  const heading = content?.querySelector('h1') ?? null;
  if (heading !== null) heading.tabIndex = -1;
  return heading ?? content;
}

/**
 * Returns the document's title once it has changed, or '' before that. Screen readers announce the first title on their
 * own.
 */
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
