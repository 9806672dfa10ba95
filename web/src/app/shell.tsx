import { AppShell } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { type Location, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router-dom';
import { DemoBanner } from '../features/auth/demo-banner.tsx';
import { Footer } from './footer.tsx';
import { NavBar } from './nav-bar.tsx';
import styles from './shell.module.css';

const HEADER_HEIGHT = 64;

/** What stands around every page: skip link, bar, demo banner, footer. */
export function Shell() {
  const content = useContentFocus();
  const { state } = useNavigation();
  return (
    <AppShell header={{ height: HEADER_HEIGHT }} padding={0}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <AppShell.Header className={styles.header}>
        <NavBar />
        <div className={styles.progress} data-busy={state === 'loading' || undefined} aria-hidden="true" />
      </AppShell.Header>
      <AppShell.Main className={styles.main}>
        <DemoBanner />
        <div id="content" ref={content} tabIndex={-1} className={`page ${styles.content}`}>
          <Outlet />
        </div>
      </AppShell.Main>
      <Footer />
      <ScrollRestoration getKey={scrollKey} />
    </AppShell>
  );
}

/** Every page that is opened by its address has the same history key: by that alone one would scroll as another did. */
const scrollKey = ({ pathname, key }: Location) => `${pathname} ${key}`;

/** Moves the keyboard's place to the new page, or it would stay on the link that led there, above the page. */
function useContentFocus() {
  const content = useRef<HTMLDivElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (!content.current?.contains(document.activeElement)) content.current?.focus({ preventScroll: true });
  }, [pathname]);
  return content;
}
