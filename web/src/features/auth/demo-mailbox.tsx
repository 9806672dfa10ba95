import { Button, Modal, Stack, Text } from '@mantine/core';
import { problemText } from '../../api/problem.ts';
import { type DemoMail, useReadDemoMailboxQuery } from '../../session/auth.api.ts';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states.tsx';
import styles from './demo-mailbox.module.css';

const SUBJECTS: Record<DemoMail['kind'], { title: string; action: string }> = {
  verification: { title: 'Verify your email', action: 'Verify' },
  reset: { title: 'Choose a new password', action: 'Choose a password' },
};

export type DemoMailboxProps = { opened: boolean; onClose: () => void };

/** The newest verification and reset emails, which a demo shop shows instead of sending. */
export function DemoMailbox({ opened, onClose }: DemoMailboxProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Demo mailbox" size="md">
      {opened ? <Mails /> : null}
    </Modal>
  );
}

function Mails() {
  const {
    data: mails,
    error,
    isFetching,
    refetch,
  } = useReadDemoMailboxQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  if (mails === undefined && isFetching) return <LoadingState label="Loading the mailbox" />;
  if (mails === undefined) {
    return (
      <ErrorState title="The mailbox could not be opened" text={problemText(error)} onRetry={() => void refetch()} />
    );
  }
  if (mails.length === 0) {
    return (
      <EmptyState
        title="No mail yet"
        text="Create an account or reset a password: the email appears here."
        action={
          <Button variant="default" onClick={() => void refetch()} loading={isFetching}>
            Refresh
          </Button>
        }
      />
    );
  }
  return (
    <Stack gap="md">
      <ul>
        {mails.map(({ email, kind, link }) => (
          <li key={link} className={styles.mail}>
            <div className={styles.words}>
              <Text fw={600}>{SUBJECTS[kind].title}</Text>
              <Text size="sm" c="dimmed" className={styles.address}>
                To {email}
              </Text>
            </div>
            <Button component="a" href={link} target="_blank" rel="noreferrer" size="sm" variant="default">
              {SUBJECTS[kind].action}
            </Button>
          </li>
        ))}
      </ul>
      <Button variant="subtle" onClick={() => void refetch()} loading={isFetching}>
        Refresh
      </Button>
    </Stack>
  );
}
