import { Badge, Button, Group, Text } from '@mantine/core';
import type { UserView } from '@micro-center/services/contracts/views.ts';
import { memo, useCallback } from 'react';
import { problemText } from '../../api/problem.ts';
import { useAppDispatch } from '../../app/hooks.ts';
import type { LiveList } from '../../live/apply-push.ts';
import { LiveListView } from '../../live/live-list-view.tsx';
import type { Paging } from '../../live/next-page.ts';
import { useChangedRows } from '../../live/use-changed-rows.ts';
import { useSteadyRows } from '../../live/use-steady-rows.ts';
import { type Column, DataCell, DataRow, DataTable } from '../../ui/data-table.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { AddressSearchBox, useSearchText } from '../../ui/search-box.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { adminUsersApi, useListUsersQuery, useMakeAdminMutation } from './admin-users.api.ts';

const COLUMNS: Column[] = [{ label: 'Email' }, { label: 'Role', width: '20%' }, { label: 'Action', width: '25%' }];

const HEIGHT = { row: 35, card: 128 };

export default function AllUsersPage() {
  usePageTitle('All Users');
  return (
    <>
      <PageHeading title="All Users" text="Everyone who ever signed in, newest first." />
      <Group mb="sm">
        <AddressSearchBox label="Search users" placeholder="E-mail or name" />
      </Group>
      <Users />
    </>
  );
}

function Users() {
  const q = useSearchText();
  const query = useListUsersQuery({ q });
  const dispatch = useAppDispatch();
  return (
    <LiveListView
      key={q}
      kind="user"
      query={query}
      what="the users"
      update={(recipe) => dispatch(adminUsersApi.util.updateQueryData('listUsers', { q }, recipe))}
    >
      {(users, paging) =>
        users.items.length === 0 ? (
          <EmptyState title="Nobody matches" text="Try fewer letters of the e-mail or the name." />
        ) : (
          <UserTable users={users} paging={paging} />
        )
      }
    </LiveListView>
  );
}

function UserTable({ users, paging }: { users: LiveList<UserView>; paging: Paging }) {
  const changed = useChangedRows(users);
  const { rows, handlers } = useSteadyRows(users);
  const drawRow = useCallback((view: UserView) => <UserRow user={view} changed={changed.has(view._id)} />, [changed]);
  return (
    <DataTable label="Users" columns={COLUMNS} minWidth={480} rows={rows} height={HEIGHT} paging={paging} {...handlers}>
      {drawRow}
    </DataTable>
  );
}

const UserRow = memo(function UserRow({ user, changed }: { user: UserView; changed: boolean }) {
  return (
    <DataRow changed={changed}>
      <DataCell label="Email">
        <span style={{ overflowWrap: 'anywhere' }}>{user.email}</span>
      </DataCell>
      <DataCell label="Role">
        {user.role === 'admin' ? (
          <Badge variant="light" tt="none">
            admin
          </Badge>
        ) : (
          <Text size="sm">customer</Text>
        )}
      </DataCell>
      <DataCell label="Action">{user.role === 'admin' ? null : <MakeAdmin email={user.email} />}</DataCell>
    </DataRow>
  );
});

function MakeAdmin({ email }: { email: string }) {
  const [makeAdmin, { isLoading }] = useMakeAdminMutation();
  const promote = async () => {
    const answer = await makeAdmin(email);
    if (answer.error) {
      const forbidden = 'status' in answer.error && answer.error.status === 403;
      toast.error(forbidden ? 'Failed to Make an admin !' : problemText(answer.error));
    } else if (answer.data.modifiedCount > 0) {
      toast.success('Successfully made an admin');
    } else {
      toast(`${email} is an admin already.`);
    }
  };
  return (
    <Button size="compact-sm" variant="light" onClick={promote} loading={isLoading} aria-label={`MAKE ADMIN ${email}`}>
      MAKE ADMIN
    </Button>
  );
}
