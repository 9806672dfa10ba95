import { Alert, Button, Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import { newProductSchema } from '@micro-center/services/contracts/forms.ts';
import type { ProductChanges } from '@micro-center/services/contracts/http.ts';
import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { fieldErrors, hasProblemCode, problemText } from '../../api/problem.ts';
import { useDraft } from '../../session/use-draft.ts';
import { useGetProductQuery } from '../../shop/products/catalogue.api.ts';
import { FormProblem } from '../../ui/form-problem.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { ErrorState, LoadingState } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useChangeProductMutation } from './admin-products.api.ts';
import { EMPTY_PRODUCT, ProductForm, type ProductValues, productErrors } from './product-form.tsx';

const LIST = '/dashboard/manageproduct';

function valuesOf(product: ProductView): ProductValues {
  const fields = Object.keys(EMPTY_PRODUCT) as (keyof ProductValues)[];
  return Object.fromEntries(fields.map((field) => [field, product[field]])) as ProductValues;
}

/** The fields that differ from what was seen; a new stock goes with the version at which the old one was seen. */
export function productChanges(seen: ProductView, values: ProductValues): ProductChanges {
  const fields = Object.entries(newProductSchema.parse(values));
  const changed = Object.fromEntries(fields.filter(([field, value]) => seen[field as keyof ProductView] !== value));
  return 'quantity' in changed ? { ...changed, version: seen.version } : changed;
}

export default function EditProductPage() {
  usePageTitle('Edit Product');
  const { id = '' } = useParams();
  const { data, error, refetch } = useGetProductQuery(id);
  return (
    <>
      <PageHeading title="Edit Product" text="What you save is in the shop at once." />
      {data !== undefined ? (
        <EditForm key={data._id} product={data} refetch={async () => (await refetch()).data} />
      ) : error ? (
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
  const [change, { isLoading: sending }] = useChangeProductMutation();
  // What the form began with, whatever is pushed meanwhile: orders may take from the stock while it is edited.
  const [seen, setSeen] = useState(product);
  const [problem, setProblem] = useState<string | null>(null);
  const [newStock, setNewStock] = useState<number | null>(null);
  const form = useForm<ProductValues>({ initialValues: valuesOf(seen), validate: productErrors });
  useDraft(form, `product ${product._id}`);
  const submit = form.onSubmit(async (values) => {
    if (sending) return;
    setProblem(null);
    setNewStock(null);
    const changes = productChanges(seen, values);
    const unchanged = Object.keys(changes).length === 0;
    const { error } = unchanged ? {} : await change({ id: seen._id, changes });
    if (error === undefined) {
      toast.success('Product saved');
      await navigate(LIST);
      return;
    }
    const fresh = hasProblemCode(error, 'stale_version') ? await refetch() : undefined;
    if (fresh !== undefined) {
      setSeen(fresh);
      setNewStock(fresh.quantity);
    } else {
      form.setErrors(fieldErrors(error));
      setProblem(problemText(error));
    }
  });
  const keepStock = (stock: number) => {
    form.setFieldValue('quantity', stock);
    setNewStock(null);
  };
  return { form, submit, sending, problem, newStock, keepStock };
}

function EditForm(props: EditFormProps) {
  const { form, submit, sending, problem, newStock, keepStock } = useEditProduct(props);
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
        <Button type="submit" loading={sending}>
          Save product
        </Button>
        <Button component={Link} to={LIST} variant="default">
          Back to products
        </Button>
      </Group>
    </ProductForm>
  );
}
