import { VisuallyHidden } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { type Location, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router-dom';
import { DemoBanner } from '../features/auth/demo-banner.tsx';
import { Footer } from './footer.tsx';
import { NavBar } from './nav-bar.tsx';
import styles from './shell.module.css';
import { usePageChange } from './use-page-change.ts';

/**
 * The layout that all pages share: skip link, navigation bar, demo banner and footer. The dashboard is full width and
 * has no footer.
 */
export function Shell() {
  const { content, announced } = usePageChange();
  const { state } = useNavigation();
  const inDashboard = useLocation().pathname.startsWith('/dashboard');
  return (
    <>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <header className={styles.header} data-wide={inDashboard || undefined}>
        <NavBar />
        <div className={styles.progress} data-busy={state === 'loading' || undefined} aria-hidden="true" />
      </header>
      <main className={styles.main} data-wide={inDashboard || undefined}>
        <VisuallyHidden role="status" aria-label="Page" component="div">
          {announced}
        </VisuallyHidden>
        <OfflineNotice />
        <DemoBanner />
        <div id="content" ref={content} tabIndex={-1} className={`page ${styles.content}`}>
          <Outlet />
        </div>
      </main>
      {inDashboard ? null : <Footer />}
      <ScrollRestoration getKey={scrollKey} />
    </>
  );
}

/**
 * Returns the key under which a page's scroll position is stored. The key includes the path, because all pages that are
 * opened directly by URL have the same history key and would otherwise share one scroll position.
 */
const scrollKey = ({ pathname, key }: Location) => `${pathname} ${key}`;

/** Tells the user that the device is offline. The notice overlays the page, so that the layout doesn't shift. */
export function OfflineNotice() {
  const { online } = useNetwork();
  return (
    <div role="status" aria-label="Connection" className={styles.notice} data-shown={!online || undefined}>
      {online ? null : 'You are offline. What you see may be out of date, and nothing can be sent.'}
    </div>
  );
}
