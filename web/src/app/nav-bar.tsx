import {
  ActionIcon,
  Burger,
  Button,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { LiveIndicator } from '../live/live-indicator.tsx';
import { useSessionKeeper } from '../session/session-keeper.ts';
import { selectIsAdmin, selectSession } from '../session/session-slice.ts';
import { useHydrated } from '../ui/use-hydrated.ts';
import styles from './nav-bar.module.css';

const PAGES = [
  { to: '/', label: 'Home' },
  { to: '/allproducts', label: 'Products' },
  { to: '/myportfolio', label: 'Portfolio' },
  { to: '/blogs', label: 'Blogs' },
];

/**
 * The navigation bar, with page links, account links and the live indicator (R19). Below desktop width, the links
 * collapse into a menu.
 */
export function NavBar() {
  const [open, setOpen] = useState(false);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of page closes the menu
  useEffect(() => setOpen(false), [pathname]);

  return (
    <div className={`page ${styles.bar}`}>
      <Link to="/" className={styles.brand} aria-label="Micro Center, home">
        <BrandMark />
        <span>Micro Center</span>
      </Link>
      <nav
        id="main-menu"
        aria-label="Main"
        className={styles.menu}
        data-open={open || undefined}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setOpen(false);
        }}
      >
        {PAGES.map(({ to, label }) => (
          <NavLink key={to} to={to} end={to === '/'} className={styles.link}>
            {label}
          </NavLink>
        ))}
        <AccountLinks onLeave={() => setOpen(false)} />
      </nav>
      <div className={styles.tools}>
        <LiveIndicator figure={useSelector(selectIsAdmin)} />
        <ColorSchemeToggle />
        <Burger
          opened={open}
          onClick={() => setOpen(!open)}
          className={styles.burger}
          size="sm"
          aria-label={open ? 'Close menu' : 'Open menu'}
          aria-expanded={open}
          aria-controls="main-menu"
        />
      </div>
    </div>
  );
}

function AccountLinks({ onLeave }: { onLeave: () => void }) {
  const { status, email } = useSelector(selectSession);
  const keeper = useSessionKeeper();

  if (status === 'signed-in') {
    return (
      <div className={styles.account}>
        <NavLink to="/dashboard" className={styles.link} title={email ?? undefined}>
          Dashboard
        </NavLink>
        <UnstyledButton
          className={styles.link}
          onClick={() => {
            onLeave();
            void keeper.signOut('by-user');
          }}
        >
          Sign out
        </UnstyledButton>
      </div>
    );
  }
  // Until the session is known, the Login button is invisible but keeps its space, so that the layout doesn't shift.
  return (
    <div className={styles.account} data-unknown={status === 'unknown' || undefined}>
      <Button component={Link} to="/login" size="sm" variant="default">
        Login
      </Button>
    </div>
  );
}

function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme('light');
  // The server doesn't know which colour scheme this browser has stored, so the colour scheme button is rendered for
  // the light scheme until the page is hydrated.
  const scheme = useHydrated() ? shown : 'light';
  const other = scheme === 'light' ? 'dark' : 'light';
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      onClick={() => setColorScheme(other)}
      aria-label={`Switch to ${other} colours`}
    >
      {scheme === 'light' ? <IconMoon size={18} stroke={1.75} /> : <IconSun size={18} stroke={1.75} />}
    </ActionIcon>
  );
}

function BrandMark() {
  return (
    <svg className={styles.mark} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M8 24V9.5L16 17l8-7.5V24" />
    </svg>
  );
}
