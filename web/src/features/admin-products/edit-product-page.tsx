import { Alert, Button, Group } from '@mantine/core';
import { newProductSchema } from '@micro-center/services/contracts/product/product-form.ts';
import type { ProductChanges } from '@micro-center/services/contracts/product/product-requests.ts';
import type { ProductView } from '@micro-center/services/contracts/product/product-view.ts';
import { useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { NotLoaded } from '../../api/not-loaded.tsx';
import { hasProblemCode } from '../../api/problem.ts';
import { FormProblem } from '../../api/use-submit.tsx';
import { useLiveEntry } from '../../live/use-live-document.ts';
import { useDraftForm, useDraftOf } from '../../session/use-draft.ts';
import { usePageState } from '../../session/use-page-state.ts';
import { productWith } from '../../shop/products/product.api.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeading, usePageTitle } from '../../ui/page-heading.tsx';
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
      {data === undefined ? (
        <NotLoaded what="the product" error={error} onRetry={refetch} />
      ) : (
        <EditForm key={data._id} product={data} refetch={refetch} />
      )}
    </>
  );
}

type EditFormProps = { product: ProductView; refetch: () => Promise<ProductView | undefined> };

/** The stock was changed by somebody else, and the admin hasn't seen the new count yet. */
class StockChanged extends Error {
  readonly stock: number;
  constructor(stock: number) {
    super('The stock changed.');
    this.stock = stock;
  }
}

/**
 * Returns a function that saves changes to a product without ever overwriting a stock count that the admin hasn't seen.
 * Orders may reduce the stock during the edit. A new count is therefore sent with the newest product version whose
 * count the admin has seen.
 */
function useSaveProduct({ product, refetch }: EditFormProps, stockChanged: boolean) {
  const [change] = useChangeProductMutation();
  const [seen, see] = usePageState<ProductView | null>(`stock seen of ${product._id}`, null);
  useEffect(() => {
    if (!stockChanged || seen === null || product.quantity === seen.quantity) see(product);
  }, [product, stockChanged, seen, see]);

  /** Rejects with `StockChanged`, and saves nothing, if the stock has changed. */
  return async (changes: ProductChanges): Promise<void> => {
    let known = seen ?? product;
    for (;;) {
      const { quantity, version } = known;
      try {
        const asked = 'quantity' in changes ? { ...changes, version } : changes;
        return void (await change({ id: product._id, changes: asked }).unwrap());
      } catch (error) {
        const fresh = hasProblemCode(error, 'stale_version') ? await refetch() : undefined;
        if (fresh === undefined || fresh.version <= version) throw error;
        known = fresh;
        see(fresh);
        // If the stock count hasn't changed, the conflict came from a change to another field, so save again without
        // asking the admin.
        if (fresh.quantity !== quantity) throw new StockChanged(fresh.quantity);
      }
    }
  };
}

function EditForm({ product, refetch }: EditFormProps) {
  const navigate = useNavigate();
  const [newStock, setNewStock] = useState<number | null>(null);
  const draft = `product ${product._id}`;
  const stockChanged = useDraftOf(draft)?.fields.quantity !== undefined;
  const save = useSaveProduct({ product, refetch }, stockChanged);
  const options = { initialValues: valuesOf(product), validate: productErrors };
  const { form, submit, pending, problem } = useDraftForm(draft, options, {
    async send(values) {
      setNewStock(null);
      const changed = Object.entries(newProductSchema.parse(values)).filter(([field]) => form.isDirty(field));
      if (changed.length > 0) await save(Object.fromEntries(changed));
      toast.success('Product saved');
      await navigate(LIST);
    },
    refused(error) {
      if (!(error instanceof StockChanged)) return error;
      setNewStock(error.stock);
      return null;
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
        <LinkButton to={LIST} variant="default">
          Back to products
        </LinkButton>
      </Group>
    </ProductForm>
  );
}
