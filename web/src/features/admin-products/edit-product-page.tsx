import { Alert, Button, Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import { newProductSchema } from '@micro-center/services/contracts/forms.ts';
import type { ProductChanges } from '@micro-center/services/contracts/http.ts';
import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { hasProblemCode, problemText } from '../../api/problem.ts';
import { FormProblem, useSubmit } from '../../api/use-submit.tsx';
import { useLiveEntry } from '../../live/live-document.ts';
import { useDraft } from '../../session/use-draft.ts';
import { productWith } from '../../shop/products/product.api.ts';
import { PageHeading, usePageTitle } from '../../ui/page-heading.tsx';
import { ErrorState, LoadingState } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useChangeProductMutation } from './admin-products.api.ts';
import { EMPTY_PRODUCT, ProductForm, type ProductValues, productErrors } from './product-form.tsx';

const LIST = '/dashboard/manageproduct';

function valuesOf(product: ProductView): ProductValues {
  const fields = Object.keys(EMPTY_PRODUCT) as (keyof ProductValues)[];
  return Object.fromEntries(fields.map((field) => [field, product[field]])) as ProductValues;
}

/** The fields that differ from `seen`; a new stock carries the version at which the old one was read. */
export function productChanges(seen: ProductView, values: ProductValues): ProductChanges {
  const fields = Object.entries(newProductSchema.parse(values));
  const changed = Object.fromEntries(fields.filter(([field, value]) => seen[field as keyof ProductView] !== value));
  return 'quantity' in changed ? { ...changed, version: seen.version } : changed;
}

export default function EditProductPage() {
  usePageTitle('Edit Product');
  const { id = '' } = useParams();
  const { data, error, refetch } = useLiveEntry(productWith(id));
  return (
    <>
      <PageHeading title="Edit Product" text="Changes appear in the shop at once." />
      {data !== undefined ? (
        <EditForm key={data._id} product={data} refetch={refetch} />
      ) : error !== null ? (
        <ErrorState title="The product could not be loaded" text={problemText(error)} onRetry={refetch} />
      ) : (
        <LoadingState label="Loading the product" />
      )}
    </>
  );
}

type EditFormProps = { product: ProductView; refetch: () => Promise<ProductView | undefined> };

function useEditProduct({ product, refetch }: EditFormProps) {
  const navigate = useNavigate();
  const [change] = useChangeProductMutation();
  // What the form began with: orders may reduce the stock during the edit.
  const [seen, setSeen] = useState(product);
  const [newStock, setNewStock] = useState<number | null>(null);
  const form = useForm<ProductValues>({ initialValues: valuesOf(seen), validate: productErrors });
  useDraft(form, `product ${product._id}`);
  const submission = useSubmit(form, {
    async send(values) {
      setNewStock(null);
      const changes = productChanges(seen, values);
      if (Object.keys(changes).length > 0) await change({ id: seen._id, changes }).unwrap();
      toast.success('Product saved');
      await navigate(LIST);
    },
    async refused(error) {
      const fresh = hasProblemCode(error, 'stale_version') ? await refetch() : undefined;
      if (fresh === undefined) return error;
      setSeen(fresh);
      setNewStock(fresh.quantity);
      return null;
    },
  });
  const keepStock = (stock: number) => {
    form.setFieldValue('quantity', stock);
    setNewStock(null);
  };
  return { form, ...submission, newStock, keepStock };
}

function EditForm(props: EditFormProps) {
  const { form, submit, pending, problem, newStock, keepStock } = useEditProduct(props);
  return (
    <ProductForm label="Product" form={form} onSubmit={submit}>
      {newStock === null ? null : (
        <Alert color="yellow" role="alert" title={`The stock changed meanwhile: ${newStock} in stock now`}>
          <p>Nothing is saved yet. Save again to make it {form.values.quantity}, or keep the new stock.</p>
          <Button variant="default" size="xs" mt="xs" onClick={() => keepStock(newStock)}>
            Keep {newStock}
          </Button>
        </Alert>
      )}
      <FormProblem problem={problem} />
      <Group>
        <Button type="submit" loading={pending}>
          Save product
        </Button>
        <Button component={Link} to={LIST} variant="default">
          Back to products
        </Button>
      </Group>
    </ProductForm>
  );
}
