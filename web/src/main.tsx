import './app/mantine.css';
import './ui/tokens.css';
import './app/theme.css';
import './app/taka.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/providers.tsx';
import { startApp } from './app/start.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root element.');

const { store, keeper } = startApp();
createRoot(root).render(
  <StrictMode>
    <App store={store} keeper={keeper} />
  </StrictMode>,
);
