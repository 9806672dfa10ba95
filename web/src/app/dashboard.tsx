import { Button, Drawer } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { Navigate, NavLink, Outlet, useLocation } from 'react-router-dom';
import { selectIsAdmin, selectSession } from '../session/session-slice.ts';
import { languageOf } from '../ui/language.ts';
import styles from './dashboard.module.css';

type DashboardPage = { to: string; label: string; wide?: boolean };

const PROFILE: DashboardPage = { to: '/dashboard/profile', label: 'Profile' };
const CUSTOMER_PAGES: DashboardPage[] = [
  PROFILE,
  { to: '/dashboard/myorders', label: 'My orders' },
  { to: '/dashboard/addreview', label: 'Add a review' },
];
const ADMIN_PAGES: DashboardPage[] = [
  PROFILE,
  { to: '/dashboard/addproduct', label: 'Add Product' },
  { to: '/dashboard/manageproduct', label: 'Manage Product' },
  { to: '/dashboard/allorder', label: 'Manage Orders', wide: true },
  { to: '/dashboard/money', label: 'Money', wide: true },
  { to: '/dashboard/allUsers', label: 'All Users' },
];

/** The dashboard, with its side drawer and its nested pages (R8, R20). On wide screens the drawer is always open. */
export default function Dashboard() {
  const [open, setOpen] = useState(false);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of page closes the drawer
  useEffect(() => setOpen(false), [pathname]);

  const wide = ADMIN_PAGES.some((page) => page.wide && page.to === pathname);

  return (
    <div className={styles.layout}>
      <div className={styles.side}>
        <DrawerLinks />
      </div>
      <Button
        className={styles.opener}
        variant="default"
        leftSection={<IconMenu2 size={16} />}
        onClick={() => setOpen(true)}
        aria-haspopup="dialog"
      >
        Dashboard menu
      </Button>
      <Drawer opened={open} onClose={() => setOpen(false)} title="Dashboard" size={280}>
        <DrawerLinks />
      </Drawer>
      <div className={styles.page} data-wide={wide || undefined}>
        {pathname === '/dashboard' ? <Start /> : <Outlet />}
      </div>
    </div>
  );
}

/** Redirects /dashboard to the list of all orders for an admin, and to the user's own orders for anyone else. */
function Start() {
  const isAdmin = useSelector(selectIsAdmin);
  return <Navigate to={isAdmin ? 'allorder' : 'myorders'} replace />;
}

function DrawerLinks() {
  const { role, name, email } = useSelector(selectSession);
  // The role determines the links, so no links are shown until the role is known.
  if (role === null) return null;
  return (
    <nav aria-label="Dashboard">
      <p className={styles.person}>
        <strong lang={languageOf(name ?? '')}>{name}</strong>
        <span title={email ?? undefined}>{email}</span>
        {role === 'admin' ? <span className={styles.role}>Admin</span> : null}
      </p>
      {(role === 'admin' ? ADMIN_PAGES : CUSTOMER_PAGES).map(({ to, label }) => (
        <NavLink key={to} to={to} className={styles.link}>
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
