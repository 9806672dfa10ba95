import './app/mantine.css';
import './ui/tokens.css';
import './app/theme.css';
import './app/taka.css';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router-dom';
import { takeEarlyActs } from './app/hand-over/early-acts.ts';
import { forgetReadyData, readyData, takeReadyData } from './app/hand-over/ready-data.ts';
import { App } from './app/providers.tsx';
import { loadPagesAt, routes } from './app/router.tsx';
import { makeApp } from './app/start.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root element.');

const { store, keeper, start } = makeApp();
const data = readyData();
if (data === null) {
  // Only ends the recording. The page was empty, so there is nothing to repeat.
  takeEarlyActs(root);
  start();
  createRoot(root).render(app(createBrowserRouter(routes)));
} else {
  takeReadyData(store.dispatch, data);
  void takeOver(root);
}

/** Hydrates a page that the server has prerendered. */
async function takeOver(page: HTMLElement): Promise<void> {
  await loadPagesAt(window.location.pathname);
  const repeatEarlyActs = takeEarlyActs(page);
  const onShown = () => {
    start();
    // Wait until the effect that calls `onShown` is over, because React ignores field changes during the effect.
    queueMicrotask(() => {
      repeatEarlyActs();
      forgetReadyData();
    });
  };
  // If `scrollRestoration` is 'auto', the browser itself restores the page's scroll position. Hydration data then
  // prevents the router from scrolling to the top when it starts. If the page scrolled between the press and the
  // release of a mouse button, the click would be lost.
  const scrolled = window.history.scrollRestoration === 'auto' ? { hydrationData: {} } : {};
  // A transition hydrates the page in slices, so that the browser can handle user input between slices.
  startTransition(() => void hydrateRoot(page, app(createBrowserRouter(routes, scrolled), onShown)));
}

function app(router: ReturnType<typeof createBrowserRouter>, onShown?: () => void) {
  return (
    <StrictMode>
      <App store={store} keeper={keeper} router={router} onShown={onShown} />
    </StrictMode>
  );
}
