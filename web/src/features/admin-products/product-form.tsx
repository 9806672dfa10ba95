import { NumberInput, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { newProductSchema } from '@micro-center/services/contracts/product/product-form.ts';
import type { ReactNode } from 'react';
import { WholeNumberInput } from '../../ui/whole-number-input.tsx';

export const EMPTY_PRODUCT = {
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
export type ProductValues = typeof EMPTY_PRODUCT;

const MISSING: Partial<Record<keyof ProductValues, string>> = {
  name: 'Enter a name.',
  price: 'Enter a price.',
  quantity: 'Enter how many there are.',
  minorder: 'Enter the minimum order.',
};

/** Returns the error message of each invalid field. Most messages come from the schema that the server also uses. */
export function productErrors(values: ProductValues): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const [field, words] of Object.entries(MISSING)) {
    if (String(values[field as keyof ProductValues]).trim() === '') errors[field] = words;
  }
  for (const field of ['quantity', 'minorder'] as const) {
    if (typeof values[field] === 'string') errors[field] ??= 'Enter a whole number.';
  }
  for (const issue of newProductSchema.safeParse(values).error?.issues ?? []) {
    errors[String(issue.path[0])] ??= issue.message;
  }
  return errors;
}

type ProductFormProps = {
  /** the form's accessible name */
  label: string;
  form: UseFormReturnType<ProductValues>;
  onSubmit: React.FormEventHandler<HTMLFormElement>;
  /** the error message and the buttons */
  children: ReactNode;
};

/** The product form, shared by the pages for adding and editing products (A4). */
export function ProductForm({ label, form, onSubmit, children }: ProductFormProps) {
  const text = (field: keyof ProductValues, maxLength: number) => ({
    maxLength,
    autoComplete: 'off',
    ...form.getInputProps(field),
  });
  return (
    <form onSubmit={onSubmit} noValidate aria-label={label}>
      <Stack gap="md" maw={800}>
        <TextInput label="Name" required {...text('name', 200)} />
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <NumberInput
            label="Price"
            description="In taka"
            required
            decimalScale={2}
            allowNegative={false}
            hideControls
            {...form.getInputProps('price')}
          />
          <WholeNumberInput label="Quantity" description="In stock" required {...form.getInputProps('quantity')} />
          <WholeNumberInput
            label="Minimum order"
            description="Smallest quantity"
            required
            {...form.getInputProps('minorder')}
          />
        </SimpleGrid>
        <TextInput label="Processor" {...text('processor', 200)} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label="Graphics card" {...text('gpu', 200)} />
          <TextInput label="Rated" {...text('rated', 200)} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label="Image address" {...text('img1', 2000)} />
          <TextInput label="Second image address" {...text('img2', 2000)} />
        </SimpleGrid>
        <Textarea label="Best build for" rows={3} maxLength={4000} {...form.getInputProps('description')} />
        {children}
      </Stack>
    </form>
  );
}
