import { Button } from '@mantine/core';
import type { NewProduct } from '@micro-center/services/contracts/product/product-form.ts';
import { FormProblem } from '../../api/use-submit.tsx';
import { useDraftForm } from '../../session/use-draft.ts';
import { PageHeading, usePageTitle } from '../../ui/page-heading.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useAddProductMutation } from './admin-products.api.ts';
import { EMPTY_PRODUCT, ProductForm, productErrors } from './product-form.tsx';

export default function AddProductPage() {
  usePageTitle('Add Product');
  const [add] = useAddProductMutation();
  const options = { initialValues: EMPTY_PRODUCT, validate: productErrors };
  const { form, submit, pending, problem } = useDraftForm('new product', options, {
    async send(values, key) {
      await add({ key, product: values as NewProduct }).unwrap();
      form.reset();
      toast.success('Your product have been added');
    },
  });
  return (
    <>
      <PageHeading title="Add Product" text="The product appears in the shop as soon as you add it." />
      <ProductForm label="New product" form={form} onSubmit={submit}>
        <FormProblem problem={problem} />
        <Button type="submit" loading={pending} style={{ alignSelf: 'flex-start' }}>
          Add product
        </Button>
      </ProductForm>
    </>
  );
}
