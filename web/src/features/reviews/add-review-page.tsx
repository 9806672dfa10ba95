import { Button, Card, Stack, Textarea, TextInput } from '@mantine/core';
import { ratingSchema } from '@micro-center/services/contracts/review/rating.ts';
import { useSelector } from 'react-redux';
import { useSearchParams } from 'react-router-dom';
import { FormProblem } from '../../api/use-submit.tsx';
import { selectSession } from '../../session/session-slice.ts';
import { useDraftForm } from '../../session/use-draft.ts';
import { languageOf } from '../../ui/language.ts';
import { PageHeading, usePageTitle } from '../../ui/page-heading.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useAddReviewMutation } from './add-review.api.ts';
import { OWN_PURCHASES, OwnPurchases } from './own-purchases.tsx';
import { StarPicker } from './star-picker.tsx';

const RATING_MESSAGE = 'Enter rating between 1 to  5';
const EMPTY = { name: '', ratings: '' as number | string, description: '' };

function useReviewForm() {
  const { name } = useSelector(selectSession);
  const [add] = useAddReviewMutation();
  const [search] = useSearchParams();
  const options = {
    initialValues: { ...EMPTY, name: search.get('item') ?? '' },
    validate: {
      name: (item: string) => (item.trim() === '' ? 'Enter the name of the item.' : null),
      ratings: (ratings: unknown) => (ratingSchema.safeParse(ratings).success ? null : RATING_MESSAGE),
      description: (text: string) => (text.trim() === '' ? 'Write a few words about it.' : null),
    },
  };
  const { form, ...submission } = useDraftForm('review', options, {
    async send(fields, key) {
      await add({ key, review: { ...fields, ratings: Number(fields.ratings), username: name ?? '' } }).unwrap();
      form.setInitialValues(EMPTY);
      form.reset();
      toast.success('Your review have been saved');
    },
  });
  return { form, ...submission };
}

export default function AddReviewPage() {
  usePageTitle('Add a review');
  const { form, submit, pending, problem } = useReviewForm();
  return (
    <>
      <PageHeading title="Add a review" text="The newest reviews are shown on the home page." />
      <Card withBorder padding="lg" maw={640}>
        <form onSubmit={submit} noValidate aria-label="Your review">
          <Stack gap="md">
            <TextInput
              label="Item name"
              required
              maxLength={200}
              autoComplete="off"
              list={OWN_PURCHASES}
              {...form.getInputProps('name')}
            />
            <OwnPurchases chosen={form.values.name} onChoose={(name) => form.setFieldValue('name', name)} />
            <StarPicker label="Rating" {...form.getInputProps('ratings')} />
            <Textarea
              label="Review"
              required
              rows={4}
              resize="vertical"
              maxLength={4000}
              autoComplete="off"
              lang={languageOf(form.values.description)}
              {...form.getInputProps('description')}
            />
            <FormProblem problem={problem} />
            <Button type="submit" loading={pending} style={{ alignSelf: 'flex-start' }}>
              Add review
            </Button>
          </Stack>
        </form>
      </Card>
    </>
  );
}
