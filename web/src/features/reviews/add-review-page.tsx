import { Button, Card, NumberInput, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ratingSchema } from '@micro-center/services/contracts/forms.ts';
import { useSelector } from 'react-redux';
import { FormProblem, useSubmit } from '../../api/use-submit.tsx';
import { useLiveList, useViews } from '../../live/use-live.ts';
import { selectSession } from '../../session/session-slice.ts';
import { useDraft } from '../../session/use-draft.ts';
import { ordersOf } from '../../shop/orders/orders.api.ts';
import { PageHeading, usePageTitle } from '../../ui/page-heading.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useAddReviewMutation } from './add-review.api.ts';

const RATING_MESSAGE = 'Enter rating between 1 to  5';
const EMPTY = { name: '', ratings: '' as number | string, description: '' };

function useReviewForm() {
  const { name, email } = useSelector(selectSession);
  const username = name || (email ?? '').split('@')[0] || '';
  const [add] = useAddReviewMutation();
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      name: (item) => (item.trim() === '' ? 'Enter the name of the item.' : null),
      ratings: (ratings) => (ratingSchema.safeParse(ratings).success ? null : RATING_MESSAGE),
      description: (text) => (text.trim() === '' ? 'Write a few words about it.' : null),
    },
  });
  useDraft(form, 'review');
  const submission = useSubmit(form, {
    async send(fields, key) {
      await add({ key, review: { ...fields, ratings: Number(fields.ratings), username } }).unwrap();
      form.reset();
      toast.success('Your review have been saved');
    },
  });
  return { form, ...submission };
}

const OWN_PURCHASES = 'own-purchases';

/** The products that this person has ordered, to choose from; any other name may be typed. */
function OwnPurchases() {
  const { email } = useSelector(selectSession);
  const { list } = useLiveList(email === null ? null : ordersOf(email));
  const names = new Set(useViews('order', list?.ids ?? []).map(({ product }) => product));
  return (
    <datalist id={OWN_PURCHASES}>
      {[...names].map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}

export default function AddReviewPage() {
  usePageTitle('Add a Review');
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
            <OwnPurchases />
            <NumberInput
              label="Rating"
              description="From 1 to 5"
              required
              decimalScale={1}
              clampBehavior="none"
              autoComplete="off"
              {...form.getInputProps('ratings')}
            />
            <Textarea
              label="Review"
              required
              rows={4}
              resize="vertical"
              maxLength={4000}
              autoComplete="off"
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
