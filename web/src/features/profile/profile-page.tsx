import { Button, Card, Stack } from '@mantine/core';
import type { UserView } from '@micro-center/services/contracts/people/user-view.ts';
import { useSelector } from 'react-redux';
import { NotLoaded } from '../../api/not-loaded.tsx';
import { useLiveAnswer } from '../../live/use-live-document.ts';
import { selectSession } from '../../session/session-slice.ts';
import { useOpenForm } from '../../session/use-draft.ts';
import facts from '../../ui/facts.module.css';
import { languageOf } from '../../ui/language.ts';
import { PageHeading, usePageTitle } from '../../ui/page-heading.tsx';
import { PersonalData } from './personal-data.tsx';
import { profileOf } from './profile.api.ts';
import { PROFILE_DRAFT, ProfileForm } from './profile-form.tsx';

export default function ProfilePage() {
  usePageTitle('Profile');
  const { email } = useSelector(selectSession);
  return (
    <>
      <PageHeading title="Profile" />
      {email === null ? null : <Profile email={email} />}
    </>
  );
}

function Profile({ email }: { email: string }) {
  const { data: [profile] = [], error, refetch } = useLiveAnswer(profileOf(email));
  const [editing, setEditing] = useOpenForm(PROFILE_DRAFT);
  if (profile === undefined) return <NotLoaded what="your profile" error={error} onRetry={refetch} />;
  return (
    <Stack gap="lg" maw={640}>
      <Card withBorder padding="lg">
        {editing ? (
          <ProfileForm profile={profile} onCancel={() => setEditing(false)} />
        ) : (
          <ProfileFacts profile={profile} onEdit={() => setEditing(true)} />
        )}
      </Card>
      <PersonalData email={email} />
    </Stack>
  );
}

function ProfileFacts({ profile, onEdit }: { profile: UserView; onEdit: () => void }) {
  const { name } = useSelector(selectSession);
  return (
    <>
      <dl className={facts.facts}>
        <Fact term="Name" value={profile.name || name || ''} />
        <Fact term="Email" value={profile.email} />
        <Fact term="Address" value={profile.address} />
        <Fact term="Phone" value={profile.phone} />
        <Fact term="Education" value={profile.education} />
        <Fact term="Linkedin" value={profile.social} />
      </dl>
      <Button mt="lg" onClick={onEdit} style={{ alignSelf: 'flex-start' }}>
        Edit Profile
      </Button>
    </>
  );
}

function Fact({ term, value }: { term: string; value: string }) {
  return (
    <>
      <dt>{term}</dt>
      <dd lang={languageOf(value)} data-empty={value === '' || undefined}>
        {value || 'Not given'}
      </dd>
    </>
  );
}
