import { Group } from '@mantine/core';
import type { UserView } from '@micro-center/services/contracts/people/user-view.ts';
import { memo, useCallback } from 'react';
import { LiveListView } from '../../live/live-list-view.tsx';
import { LiveRow } from '../../live/live-row.tsx';
import type { Paging } from '../../live/paging.ts';
import { ShowWaiting } from '../../live/show-waiting.tsx';
import { type LoadedList, useLiveList, useView } from '../../live/use-live.ts';
import { useSteadyList } from '../../live/use-steady-ids.ts';
import { usePageState } from '../../session/use-page-state.ts';
import { type Column, DataCell, DataTable } from '../../ui/data-table.tsx';
import { PageHeading, usePageTitle } from '../../ui/page-heading.tsx';
import { RowBadge, RowButton } from '../../ui/row-parts.tsx';
import { AddressSearchBox, useSearchText } from '../../ui/search-box.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { usersFound } from './admin-users.api.ts';
import styles from './all-users.module.css';
import { ChangeRoleDialog } from './change-role-dialog.tsx';

const COLUMNS: Column[] = [
  { label: 'Name', width: '30%' },
  { label: 'Email' },
  { label: 'Role', width: '14%' },
  { label: 'Action', width: '18%' },
];

const HEIGHT = { row: 40, card: 90 };

export default function AllUsersPage() {
  usePageTitle('All Users');
  const q = useSearchText();
  const shown = useLiveList(usersFound(q));
  return (
    <>
      <PageHeading title="All Users" text="Everyone who has ever signed in, newest first." />
      <Group mb="sm">
        <AddressSearchBox label="Search users" placeholder="Email or name" />
      </Group>
      <LiveListView key={q} shown={shown} what="the users">
        {(users, paging) =>
          users.ids.length === 0 ? (
            <EmptyState title="Nobody matches" text="Try entering less of the email or name." />
          ) : (
            <UserTable users={users} paging={paging} />
          )
        }
      </LiveListView>
    </>
  );
}

function UserTable({ users, paging }: { users: LoadedList; paging: Paging }) {
  const [asked, setAsked] = usePageState<UserView | null>('changing a role', null);
  const { ids, waiting, showWaiting, handlers } = useSteadyList(users);
  const drawRow = useCallback((id: string) => <UserRow id={id} onChangeRole={setAsked} />, [setAsked]);
  return (
    <>
      <div className={styles.list} {...handlers}>
        <ShowWaiting what="user" waiting={waiting} onShow={showWaiting} />
        <DataTable label="Users" columns={COLUMNS} minWidth={600} ids={ids} height={HEIGHT} paging={paging}>
          {drawRow}
        </DataTable>
      </div>
      <ChangeRoleDialog user={asked} onClose={() => setAsked(null)} />
    </>
  );
}

type UserRowProps = { id: string; onChangeRole: (user: UserView) => void };

const UserRow = memo(function UserRow({ id, onChangeRole }: UserRowProps) {
  const user = useView('user', id);
  if (user === undefined) return null;
  const isAdmin = user.role === 'admin';
  const action = isAdmin ? 'Remove admin' : 'MAKE ADMIN';
  return (
    <LiveRow id={id}>
      <DataCell label="Name" clip={user.name} lines={1} />
      <DataCell label="Email" clip={user.email} lines={1} />
      <DataCell label="Role">
        {isAdmin ? <RowBadge tone="role">admin</RowBadge> : <span className={styles.customer}>customer</span>}
      </DataCell>
      <DataCell label="Action">
        <RowButton
          tone={isAdmin ? 'danger' : 'quiet'}
          onClick={() => onChangeRole(user)}
          label={`${action} ${user.email}`}
        >
          {action}
        </RowButton>
      </DataCell>
    </LiveRow>
  );
});
