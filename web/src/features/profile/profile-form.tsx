import { Button, Group, Stack, TextInput } from '@mantine/core';
import type { UserView } from '@micro-center/services/contracts/people/user-view.ts';
import { phoneSchema } from '@micro-center/services/contracts/phone.ts';
import { FormProblem } from '../../api/use-submit.tsx';
import { useDraftForm } from '../../session/use-draft.ts';
import { languageOf } from '../../ui/language.ts';
import { toast } from '../../ui/toasts.tsx';
import { useSaveProfileMutation } from './profile.api.ts';

export const PROFILE_DRAFT = 'profile';

/**
 * The profile's edit mode. Returns to view mode once the profile is saved. If saving fails, the form stays open and
 * keeps the entered values.
 */
export function ProfileForm({ profile, onCancel }: { profile: UserView; onCancel: () => void }) {
  const [save] = useSaveProfileMutation();
  const { address, phone, education, social } = profile;
  const options = {
    initialValues: { address, phone, education, social },
    validate: {
      phone: (phone: string) =>
        phone.trim() === '' ? null : (phoneSchema.safeParse(phone).error?.issues[0]?.message ?? null),
    },
  };
  const { form, submit, pending, problem } = useDraftForm(PROFILE_DRAFT, options, {
    async send(fields) {
      await save({ email: profile.email, ...fields }).unwrap();
      toast.success('Profile updated successfully');
    },
  });
  return (
    <form onSubmit={submit} noValidate aria-label="Your profile">
      <Stack gap="md">
        <TextInput label="Name" value={profile.name} readOnly variant="filled" autoComplete="name" />
        <TextInput label="Email" value={profile.email} readOnly variant="filled" autoComplete="email" />
        <TextInput
          label="Address"
          autoComplete="street-address"
          maxLength={500}
          lang={languageOf(form.values.address)}
          {...form.getInputProps('address')}
        />
        <TextInput label="Phone" type="tel" inputMode="tel" autoComplete="tel" {...form.getInputProps('phone')} />
        <TextInput label="Education" autoComplete="off" maxLength={200} {...form.getInputProps('education')} />
        <TextInput label="Linkedin" autoComplete="url" maxLength={500} {...form.getInputProps('social')} />
        <FormProblem problem={problem} />
        <Group>
          <Button type="submit" loading={pending}>
            Save changes
          </Button>
          <Button variant="default" onClick={onCancel} disabled={pending}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
