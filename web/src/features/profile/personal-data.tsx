import { Button, Card, Group, Text, Title } from '@mantine/core';
import { problemText } from '../../api/problem.ts';
import { useConfirm } from '../../api/use-confirm.ts';
import { useSessionKeeper } from '../../session/session-keeper.ts';
import { usePageState } from '../../session/use-page-state.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { toast } from '../../ui/toasts.tsx';
import { useErasePersonMutation, useExportPersonMutation } from './profile.api.ts';

const FILE_NAME = 'micro-center-my-data.json';

/** Lets users export or erase everything that the shop stores about them. */
export function PersonalData({ email }: { email: string }) {
  const [exportPerson, { isLoading: exporting, reset }] = useExportPersonMutation();
  const [deleting, setDeleting] = usePageState('deleting the account', false);
  const download = async () => {
    const answer = await exportPerson(email);
    if (answer.error) toast.error(problemText(answer.error));
    else saveFile(new Blob([JSON.stringify(answer.data, null, 2)], { type: 'application/json' }), FILE_NAME);
    reset();
  };
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="your-data">
      <Title order={2} size="h4" id="your-data">
        Your data
      </Title>
      <Text c="dimmed" mt="xs">
        Download a file with everything we store about you: your profile, orders, payments and reviews. You can also
        delete your account and this data.
      </Text>
      <Group mt="md">
        <Button variant="default" onClick={download} loading={exporting}>
          Download my data
        </Button>
        <Button variant="outline" color="red" onClick={() => setDeleting(true)}>
          Delete my account
        </Button>
      </Group>
      <DeleteAccount email={email} opened={deleting} onClose={() => setDeleting(false)} />
    </Card>
  );
}

function DeleteAccount({ email, opened, onClose }: { email: string; opened: boolean; onClose: () => void }) {
  const [erase] = useErasePersonMutation();
  const keeper = useSessionKeeper();
  const confirmed = useConfirm(async () => {
    await erase(email).unwrap();
    toast.success('Your account is deleted.');
    await keeper.signOut('by-user');
  }, onClose);
  return (
    <ConfirmDialog
      opened={opened}
      title="Delete your account?"
      text="Your name, email, phone and address will be deleted everywhere, and your unpaid orders will be cancelled. Your past orders will no longer be traceable to you. This cannot be undone."
      confirmLabel="Delete my account"
      keepLabel="Keep my account"
      {...confirmed}
    />
  );
}
