import { Alert, Button, Card, NumberInput, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ratingSchema } from '@micro-center/services/contracts/forms.ts';
import { useState } from 'react';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { fieldErrors, problemText } from '../../api/problem.ts';
import { useAppSelector } from '../../app/hooks.ts';
import { PageHeading } from '../../ui/page-heading.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { toast } from '../../ui/toasts.tsx';
import { selectSession } from '../auth/session-slice.ts';
import { useAddReviewMutation } from './reviews.api.ts';

const RATING_MESSAGE = 'Enter rating between 1 to  5';
const EMPTY = { name: '', ratings: '' as number | string, description: '' };

function useReviewForm() {
  const { name, email } = useAppSelector(selectSession);
  const [add, { isLoading: sending }] = useAddReviewMutation();
  const [key, setKey] = useState(newIdempotencyKey);
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      name: (item) => (item.trim() === '' ? 'Enter the name of the item.' : null),
      ratings: (ratings) => (ratingSchema.safeParse(ratings).success ? null : RATING_MESSAGE),
      description: (text) => (text.trim() === '' ? 'Write a few words about it.' : null),
    },
  });
  const submit = form.onSubmit(async (fields) => {
    if (sending) return;
    setProblem(null);
    const username = name || (email ?? '').split('@')[0] || '';
    const answer = await add({ key, review: { ...fields, ratings: Number(fields.ratings), username } });
    if (answer.error) {
      form.setErrors(fieldErrors(answer.error));
      setProblem(problemText(answer.error));
      return;
    }
    toast.success('Your review have been saved');
    form.reset();
    setKey(newIdempotencyKey());
  });
  return { form, submit, sending, problem };
}

export default function AddReviewPage() {
  usePageTitle('Add a Review');
  const { form, submit, sending, problem } = useReviewForm();
  return (
    <>
      <PageHeading title="Add a review" text="The newest reviews are shown on the home page." />
      <Card withBorder padding="lg" maw={640}>
        <form onSubmit={submit} noValidate aria-label="Your review">
          <Stack gap="md">
            <TextInput label="Item name" required maxLength={200} autoComplete="off" {...form.getInputProps('name')} />
            <NumberInput
              label="Rating"
              description="From 1 to 5"
              required
              decimalScale={1}
              clampBehavior="none"
              autoComplete="off"
              {...form.getInputProps('ratings')}
            />
            <Textarea label="Review" required rows={4} maxLength={4000} {...form.getInputProps('description')} />
            {problem ? (
              <Alert color="red" role="alert">
                {problem}
              </Alert>
            ) : null}
            <Button type="submit" loading={sending} style={{ alignSelf: 'flex-start' }}>
              Add review
            </Button>
          </Stack>
        </form>
      </Card>
    </>
  );
}
