import { Box, Button, Modal, Stack, Text } from '@mantine/core';
import { problemText } from '../../api/problem.ts';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states.tsx';
import { type DemoMail, useReadDemoMailboxQuery } from './demo.api.ts';
import styles from './demo-mailbox.module.css';

const SUBJECTS: Record<Exclude<DemoMail['kind'], 'order'>, { title: string; action: string }> = {
  verification: { title: 'Verify your email', action: 'Verify' },
  reset: { title: 'Choose a new password', action: 'Choose a password' },
};

export type DemoMailboxProps = { opened: boolean; onClose: () => void };

function wordsOf(mail: DemoMail): { title: string; action: string; text?: string } {
  return mail.kind === 'order'
    ? { title: mail.subject, action: 'See the order', text: mail.text.trimEnd() }
    : SUBJECTS[mail.kind];
}

/** Shows the newest e-mails. A demo shop lists its e-mails here instead of sending them. */
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
        text="Create an account, reset a password or place an order, and the email will appear here."
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
        {mails.map((mail) => {
          const { title, action, text } = wordsOf(mail);
          return (
            <Stack component="li" gap="sm" align="flex-start" key={`${mail.link} ${title}`} className={styles.mail}>
              <Box w="100%">
                <Text fw={600}>{title}</Text>
                <Text size="sm" c="dimmed">
                  To {mail.email}
                </Text>
                {text === undefined ? null : (
                  <Text size="sm" mt="sm" p="md" className={styles.text}>
                    {text}
                  </Text>
                )}
              </Box>
              <Button component="a" href={mail.link} target="_blank" rel="noreferrer" size="sm" variant="default">
                {action}
              </Button>
            </Stack>
          );
        })}
      </ul>
      <Button variant="subtle" onClick={() => void refetch()} loading={isFetching}>
        Refresh
      </Button>
    </Stack>
  );
}
