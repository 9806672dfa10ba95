import { Alert, Button, NumberInput, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type NewProduct, newProductSchema } from '@micro-center/services/contracts/forms.ts';
import { useState } from 'react';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { fieldErrors, problemText } from '../../api/problem.ts';
import { PageHeading } from '../../ui/page-heading.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { toast } from '../../ui/toasts.tsx';
import { useAddProductMutation } from './admin-products.api.ts';

const EMPTY = {
  name: '',
  img1: '',
  img2: '',
  processor: '',
  gpu: '',
  rated: '',
  description: '',
  price: '' as number | string,
  quantity: '' as number | string,
  minorder: '' as number | string,
};
type ProductFields = typeof EMPTY;

const MISSING: Partial<Record<keyof ProductFields, string>> = {
  name: 'Enter a name.',
  price: 'Enter a price.',
  quantity: 'Enter how many there are.',
  minorder: 'Enter the smallest order.',
};

/** Inline errors of the form, by the shape that the server asks for; a missing field is named in plain words. */
export function productErrors(fields: ProductFields): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const [field, words] of Object.entries(MISSING)) {
    if (String(fields[field as keyof ProductFields]).trim() === '') errors[field] = words;
  }
  for (const issue of newProductSchema.safeParse(fields).error?.issues ?? []) {
    errors[String(issue.path[0])] ??= issue.message;
  }
  return errors;
}

function useAddProduct() {
  const [add, { isLoading: sending }] = useAddProductMutation();
  const [key, setKey] = useState(newIdempotencyKey);
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm<ProductFields>({ initialValues: EMPTY, validate: productErrors });
  const submit = form.onSubmit(async (fields) => {
    if (sending) return;
    setProblem(null);
    const answer = await add({ key, product: fields as NewProduct });
    if (answer.error) {
      form.setErrors(fieldErrors(answer.error));
      setProblem(problemText(answer.error));
      return;
    }
    toast.success('Your product have been added');
    form.reset();
    setKey(newIdempotencyKey());
  });
  return { form, submit, sending, problem };
}

export default function AddProductPage() {
  usePageTitle('Add Product');
  const { form, submit, sending, problem } = useAddProduct();
  return (
    <>
      <PageHeading title="Add Product" text="It appears in the shop at once." />
      <form onSubmit={submit} noValidate aria-label="New product">
        <Stack gap="md" maw={800}>
          <TextInput label="Name" required maxLength={200} autoComplete="off" {...form.getInputProps('name')} />
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <NumberInput
              label="Price"
              description="In taka"
              required
              decimalScale={2}
              allowNegative={false}
              {...form.getInputProps('price')}
            />
            <NumberInput
              label="Quantity"
              description="In stock"
              required
              allowDecimal={false}
              allowNegative={false}
              {...form.getInputProps('quantity')}
            />
            <NumberInput
              label="Minimum order"
              description="Smallest quantity"
              required
              allowDecimal={false}
              allowNegative={false}
              {...form.getInputProps('minorder')}
            />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput label="Processor" maxLength={200} autoComplete="off" {...form.getInputProps('processor')} />
            <TextInput label="Graphics card" maxLength={200} autoComplete="off" {...form.getInputProps('gpu')} />
            <TextInput label="Rated" maxLength={200} autoComplete="off" {...form.getInputProps('rated')} />
            <TextInput label="Image address" maxLength={2000} autoComplete="off" {...form.getInputProps('img1')} />
          </SimpleGrid>
          <Textarea label="Best build for" rows={3} maxLength={4000} {...form.getInputProps('description')} />
          {problem ? (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          ) : null}
          <Button type="submit" loading={sending} style={{ alignSelf: 'flex-start' }}>
            Add product
          </Button>
        </Stack>
      </form>
    </>
  );
}
