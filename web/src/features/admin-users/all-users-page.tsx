import { Badge, Button, Text } from '@mantine/core';
import type { UserView } from '@micro-center/services/contracts/views.ts';
import { problemText } from '../../api/problem.ts';
import { useAppDispatch } from '../../app/hooks.ts';
import { growWindow } from '../../live/grow-window.ts';
import { LiveListView } from '../../live/live-list-view.tsx';
import { useChangedRows } from '../../live/use-changed-rows.ts';
import { useSteadyRows } from '../../live/use-steady-rows.ts';
import { type Column, DataCell, DataRow, DataTable } from '../../ui/data-table.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { toast } from '../../ui/toasts.tsx';
import { adminUsersApi, useListUsersQuery, useMakeAdminMutation } from './admin-users.api.ts';

const COLUMNS: Column[] = [{ label: 'Email' }, { label: 'Role', width: '20%' }, { label: 'Action', width: '25%' }];

export default function AllUsersPage() {
  usePageTitle('All Users');
  return (
    <>
      <PageHeading title="All Users" />
      <Users />
    </>
  );
}

function Users() {
  const query = useListUsersQuery();
  const dispatch = useAppDispatch();
  return (
    <LiveListView
      query={query}
      what="the users"
      onGrow={() => dispatch(adminUsersApi.util.updateQueryData('listUsers', undefined, growWindow))}
    >
      {(users) => <UserTable users={users.items} />}
    </LiveListView>
  );
}

function UserTable({ users }: { users: UserView[] }) {
  const changed = useChangedRows(users);
  const { rows, handlers } = useSteadyRows(users, () => true);
  return (
    <DataTable label="Users" columns={COLUMNS} minWidth={480} {...handlers}>
      {rows.map(({ view }) => (
        <DataRow key={view._id} changed={changed.has(view._id)}>
          <DataCell label="Email">
            <span style={{ overflowWrap: 'anywhere' }}>{view.email}</span>
          </DataCell>
          <DataCell label="Role">
            {view.role === 'admin' ? (
              <Badge variant="light" tt="none">
                admin
              </Badge>
            ) : (
              <Text size="sm">customer</Text>
            )}
          </DataCell>
          <DataCell label="Action">{view.role === 'admin' ? null : <MakeAdmin email={view.email} />}</DataCell>
        </DataRow>
      ))}
    </DataTable>
  );
}

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
