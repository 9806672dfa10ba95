import { Alert, Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { NewProduct } from '@micro-center/services/contracts/http.ts';
import { useState } from 'react';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { fieldErrors, problemText } from '../../api/problem.ts';
import { PageHeading } from '../../ui/page-heading.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { toast } from '../../ui/toasts.tsx';
import { useAddProductMutation } from './admin-products.api.ts';
import { EMPTY_PRODUCT, ProductForm, type ProductValues, productErrors } from './product-form.tsx';

function useAddProduct() {
  const [add, { isLoading: sending }] = useAddProductMutation();
  const [key, setKey] = useState(newIdempotencyKey);
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm<ProductValues>({ initialValues: EMPTY_PRODUCT, validate: productErrors });
  const submit = form.onSubmit(async (values) => {
    if (sending) return;
    setProblem(null);
    const answer = await add({ key, product: values as NewProduct });
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
      <ProductForm label="New product" form={form} onSubmit={submit}>
        {problem ? (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        ) : null}
        <Button type="submit" loading={sending} style={{ alignSelf: 'flex-start' }}>
          Add product
        </Button>
      </ProductForm>
    </>
  );
}
