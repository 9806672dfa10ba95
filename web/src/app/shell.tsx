import { VisuallyHidden } from '@mantine/core';
import { type Location, Outlet, ScrollRestoration, useNavigation } from 'react-router-dom';
import { DemoBanner } from '../features/auth/demo-banner.tsx';
import { Footer } from './footer.tsx';
import { NavBar } from './nav-bar.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import styles from './shell.module.css';
import { usePageChange } from './use-page-change.ts';

/** What stands around every page: skip link, bar, demo banner, footer. */
export function Shell() {
  const { content, announced } = usePageChange();
  const { state } = useNavigation();
  return (
    <>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <header className={styles.header}>
        <NavBar />
        <div className={styles.progress} data-busy={state === 'loading' || undefined} aria-hidden="true" />
      </header>
      <main className={styles.main}>
        <VisuallyHidden role="status" aria-label="Page" component="div">
          {announced}
        </VisuallyHidden>
        <OfflineNotice />
        <DemoBanner />
        <div id="content" ref={content} tabIndex={-1} className={`page ${styles.content}`}>
          <Outlet />
        </div>
      </main>
      <Footer />
      <ScrollRestoration getKey={scrollKey} />
    </>
  );
}

/** Every page that is opened by its address has the same history key: by that alone one would scroll as another did. */
const scrollKey = ({ pathname, key }: Location) => `${pathname} ${key}`;
