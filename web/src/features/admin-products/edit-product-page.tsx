import { Alert, Button, Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import { newProductSchema } from '@micro-center/services/contracts/forms.ts';
import type { ProductChanges } from '@micro-center/services/contracts/http.ts';
import type { ProductView } from '@micro-center/services/contracts/product/product-view.ts';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { hasProblemCode, problemText } from '../../api/problem.ts';
import { FormProblem, useSubmit } from '../../api/use-submit.tsx';
import { useLiveEntry } from '../../live/live-document.ts';
import { useDraft, useNewestValues } from '../../session/use-draft.ts';
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

export default function EditProductPage() {
  usePageTitle('Edit Product');
  const { id = '' } = useParams();
  const { data, error, refetch } = useLiveEntry(productWith(id));
  return (
    <>
      <PageHeading title="Edit Product" text="Changes appear in the shop immediately." />
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

/**
 * Returns a function that saves changes to a product without ever overwriting a stock count that the admin hasn't seen.
 * Orders may reduce the stock during the edit. A new count is therefore sent with the newest product version whose
 * count the admin has seen.
 */
function useSaveProduct({ product, refetch }: EditFormProps, stockChanged: boolean) {
  const [change] = useChangeProductMutation();
  const seen = useRef(product);
  useEffect(() => {
    if (!stockChanged || product.quantity === seen.current.quantity) seen.current = product;
  }, [product, stockChanged]);

  /** Returns null once the changes are saved. If the stock has changed, saves nothing and returns the current product. */
  return async (changes: ProductChanges): Promise<ProductView | null> => {
    for (;;) {
      const { quantity, version } = seen.current;
      try {
        const asked = 'quantity' in changes ? { ...changes, version } : changes;
        await change({ id: product._id, changes: asked }).unwrap();
        return null;
      } catch (error) {
        const fresh = hasProblemCode(error, 'stale_version') ? await refetch() : undefined;
        if (fresh === undefined || fresh.version <= version) throw error;
        seen.current = fresh;
        // If the stock count hasn't changed, the conflict came from a change to another field, so save again without
        // asking the admin.
        if (fresh.quantity !== quantity) return fresh;
      }
    }
  };
}

function EditForm({ product, refetch }: EditFormProps) {
  const navigate = useNavigate();
  const [newStock, setNewStock] = useState<number | null>(null);
  const form = useForm<ProductValues>({ initialValues: valuesOf(product), validate: productErrors });
  useDraft(form, `product ${product._id}`, 'edit');
  useNewestValues(form, valuesOf(product));
  const save = useSaveProduct({ product, refetch }, form.isDirty('quantity'));
  const { submit, pending, problem } = useSubmit(form, {
    async send(values) {
      setNewStock(null);
      const changed = Object.entries(newProductSchema.parse(values)).filter(([field]) => form.isDirty(field));
      const moved = changed.length === 0 ? null : await save(Object.fromEntries(changed));
      if (moved !== null) return setNewStock(moved.quantity);
      toast.success('Product saved');
      await navigate(LIST);
    },
  });
  const keepStock = (stock: number) => {
    form.setFieldValue('quantity', stock);
    setNewStock(null);
  };
  return (
    <ProductForm label="Product" form={form} onSubmit={submit}>
      {newStock === null ? null : (
        <Alert color="yellow" role="alert" title={`The stock changed meanwhile: ${newStock} in stock now`}>
          <p>
            Your changes are not saved yet. Save again to set the stock to {form.values.quantity}, or keep the new
            stock.
          </p>
          <Button variant="default" size="xs" mt="md" onClick={() => keepStock(newStock)}>
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
