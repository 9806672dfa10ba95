import { Alert, Anchor, Button, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { phoneSchema } from '@micro-center/services/contracts/forms.ts';
import { MAX_TOTAL_TAKA, toPoisha, totalTaka } from '@micro-center/services/contracts/money.ts';
import { PROBLEMS } from '@micro-center/services/contracts/problems.ts';
import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { skipToken } from '@reduxjs/toolkit/query';
import { type ReactNode, useDeferredValue, useLayoutEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { useGetClientConfigQuery } from '../../api/client-config.ts';
import { hasProblemCode, problemOf, problemText, type ShopError } from '../../api/problem.ts';
import { FormProblem, useSubmit } from '../../api/use-submit.tsx';
import { useLiveEntry } from '../../live/live-document.ts';
import { selectIsLive } from '../../live/live-slice.ts';
import { selectSession } from '../../session/session-slice.ts';
import { useDraft } from '../../session/use-draft.ts';
import { OrderSum } from '../../shop/orders/order-sum.tsx';
import { usePlaceOrderMutation } from '../../shop/orders/orders.api.ts';
import { productWith } from '../../shop/products/product.api.ts';
import { isBuyable } from '../../shop/products/stock.tsx';
import { formatTaka } from '../../ui/format.ts';
import { languageOf } from '../../ui/language.ts';
import { usePageTitle } from '../../ui/page-heading.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { WholeNumberInput } from '../../ui/whole-number-input.tsx';
import styles from './buy-page.module.css';
import { useGetKnownDeliveryQuery } from './known-delivery.api.ts';
import { ProductFacts, ProductHead } from './product-facts.tsx';

export default function BuyPage() {
  const { id = '' } = useParams();
  const { data: product, error, refetch } = useLiveEntry(productWith(id));
  usePageTitle(product?.name ?? 'Buy');
  return (
    <>
      {!product && error === null ? <LoadingState label="Loading the product" /> : null}
      {hasProblemCode(error, 'not_found') ? (
        <EmptyState
          title="This product is not sold here"
          text="It may have been taken out of the shop."
          action={
            <Button component={Link} to="/allproducts">
              See all items
            </Button>
          }
        />
      ) : null}
      {error && !product && !hasProblemCode(error, 'not_found') ? (
        <ErrorState title="The product could not be loaded" text={problemText(error)} onRetry={refetch} />
      ) : null}
      {product && !hasProblemCode(error, 'not_found') ? (
        <Purchase key={id} product={product} refetch={refetch} />
      ) : null}
    </>
  );
}

function Purchase({ product, refetch }: { product: ProductView; refetch: () => void }) {
  // A deferred update renders in slices, so a phone still answers touches while the form appears.
  const { status } = useDeferredValue(useSelector(selectSession));
  return (
    <div className={styles.page}>
      <ProductHead product={product} />
      {status === 'signed-in' ? <BuyForm product={product} refetch={refetch} /> : <FormOnItsWay />}
      <ProductFacts product={product} />
    </div>
  );
}

/** Whether the quantity asked for is a whole number from the minimum order to the stock (P2). */
export function quantityFits(quantity: number | string, product: ProductView): quantity is number {
  return (
    typeof quantity === 'number' &&
    Number.isInteger(quantity) &&
    quantity >= product.minorder &&
    quantity <= product.quantity
  );
}

/** Why nobody could pay for this quantity; null where they can. `minimum`: the smallest payment by card, in taka. */
export function unpayable(quantity: number, { price, quantity: stock }: ProductView, minimum: number): string | null {
  const total = totalTaka(toPoisha(price), quantity);
  if (total > MAX_TOTAL_TAKA) return PROBLEMS.total_too_large.title;
  if (total >= minimum) return null;
  const enough = Math.ceil((minimum * 100) / toPoisha(price));
  const instead = enough <= stock ? `Order ${enough} or more.` : 'Everything in stock costs less than that.';
  return `A card payment is at least ${formatTaka(minimum)}. ${instead}`;
}

type BuyFields = { address: string; phone: string; quantity: number | string };

/** Fills in address and phone as the shop knows them, where nothing is typed yet and no cursor waits (P4). */
function useKnownDelivery(form: UseFormReturnType<BuyFields>, email: string | null): void {
  const { data: known } = useGetKnownDeliveryQuery(email ?? skipToken, { refetchOnMountOrArgChange: true });
  // Before the next key or click: what is shown then is what was looked at here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is known
  useLayoutEffect(() => {
    if (known === undefined) return;
    const { address, phone } = form.getValues();
    const isFree = (field: 'address' | 'phone') => document.activeElement !== form.getInputNode(field);
    const given = {
      ...(address === '' && isFree('address') ? { address: known.address } : {}),
      ...(phone === '' && isFree('phone') ? { phone: known.phone } : {}),
    };
    // Not typed, so no draft keeps it.
    form.setInitialValues({ ...form.getInitialValues(), ...given });
    form.setValues(given);
  }, [known]);
}

function usePurchase(product: ProductView, refetch: () => void) {
  const { email, name } = useSelector(selectSession);
  const customer = { email: email ?? '', name: name || (email ?? '').split('@')[0] || '' };
  const navigate = useNavigate();
  const [place] = usePlaceOrderMutation();
  const [agreedPrice, setAgreedPrice] = useState(product.price);
  const { data: config } = useGetClientConfigQuery();
  const refusalOf = (quantity: number) => unpayable(quantity, product, config?.paymentMinimum ?? 0);
  const form = useForm<BuyFields>({
    initialValues: { address: '', phone: '', quantity: product.minorder },
    validate: {
      address: (address) => (address.trim() === '' ? 'Enter the address to deliver to.' : null),
      phone: (phone) => phoneSchema.safeParse(phone).error?.issues[0]?.message ?? null,
      quantity: (quantity) => {
        if (quantity === '') return 'Enter a quantity.';
        return quantityFits(quantity, product) ? refusalOf(Number(quantity)) : PROBLEMS.quantity_out_of_range.title;
      },
    },
  });

  const dropDraft = useDraft(form, `buy ${product._id}`, 'new');
  useKnownDelivery(form, email);

  const submission = useSubmit(form, {
    async send({ address, phone, quantity }, key) {
      if (product.price !== agreedPrice) {
        setAgreedPrice(product.price);
        throw priceChanged(product.price);
      }
      const ordered = { product: product.name, productId: product._id, quantity: Number(quantity), price: agreedPrice };
      const { insertedId, number } = await place({ key, order: { ...customer, address, phone, ...ordered } }).unwrap();
      dropDraft();
      toast.success(
        <div>
          <div>Please pay for confirm order</div>
          <div>Order {number}</div>
        </div>,
      );
      navigate(`/dashboard/payment/${insertedId}`);
    },
    refused(error) {
      const { code, title } = problemOf(error);
      // If the page knew the new price already, there is nothing to fetch.
      if (code === 'quantity_out_of_range' || (code === 'price_changed' && product.price === agreedPrice)) refetch();
      if (code !== 'quantity_out_of_range') return error;
      form.setFieldError('quantity', title);
      return null;
    },
  });
  return { form, ...submission, customer, refusalOf };
}

/** The server's refusal of an outdated price, made here before anything is sent (CMD6). */
function priceChanged(price: number): ShopError {
  const { status, title } = PROBLEMS.price_changed;
  return {
    status,
    problem: { type: 'about:blank', status, code: 'price_changed', title: `${title} It is ${formatTaka(price)} now.` },
  };
}

/** What a problem means for an order; undefined if its own message says enough. */
function orderProblem(problem: unknown): ReactNode {
  const { code, title, detail } = problemOf(problem);
  const myOrders = (
    <Anchor component={Link} to="/dashboard/myorders" inherit>
      My orders
    </Anchor>
  );
  if (code === 'too_many_unpaid_orders') {
    return (
      <>
        {detail ?? title} They are all under {myOrders}.
      </>
    );
  }
  if (code !== 'idempotency_key_reused') return undefined;
  return <>An earlier attempt at this order did go through. Look at {myOrders} before you order again.</>;
}

/** In the form's place until it is known who buys. */
function FormOnItsWay() {
  return (
    <div className={`${styles.form} ${styles.onItsWay}`}>
      <FormTitle />
      <LoadingState label="Checking who you are" />
    </div>
  );
}

const FormTitle = () => (
  <Title order={2} size="h3">
    Your order
  </Title>
);

function BuyForm({ product, refetch }: { product: ProductView; refetch: () => void }) {
  const { form, submit, pending, problem, customer, refusalOf } = usePurchase(product, refetch);
  const { quantity } = form.values;
  const buyable = isBuyable(product);
  const fits = quantityFits(quantity, product);
  return (
    <form onSubmit={submit} noValidate aria-label="Your order" className={styles.form}>
      <Stack gap="md">
        <FormTitle />
        {buyable ? null : <SoldOut product={product} />}
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <TextInput
            label="Name"
            value={customer.name}
            lang={languageOf(customer.name)}
            readOnly
            autoComplete="name"
            variant="filled"
          />
          <TextInput label="Email" value={customer.email} readOnly autoComplete="email" variant="filled" />
        </SimpleGrid>
        <TextInput
          label="Address"
          required
          autoComplete="street-address"
          maxLength={500}
          lang={languageOf(form.values.address)}
          {...form.getInputProps('address')}
        />
        <TextInput
          label="Phone"
          required
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          {...form.getInputProps('phone')}
        />
        <div>
          <WholeNumberInput
            label="Quantity"
            required
            description={buyable ? `From ${product.minorder} to ${product.quantity}` : undefined}
            {...form.getInputProps('quantity')}
          />
          {buyable ? (
            <Text size="sm" fw={600} role="status">
              {outOfRange(quantity, product)}
            </Text>
          ) : null}
        </div>
        {fits && !form.errors.quantity ? (
          <BeforePlacing product={product} quantity={quantity} refusal={refusalOf(quantity)} />
        ) : null}
        {fits ? (
          <div aria-live="polite">
            <OrderSum quantity={quantity} price={product.price} total={totalTaka(toPoisha(product.price), quantity)} />
          </div>
        ) : null}
        <FormProblem problem={problem}>{orderProblem(problem)}</FormProblem>
        <Button type="submit" size="md" variant={fits ? 'filled' : 'default'} loading={pending} disabled={!buyable}>
          {buyable ? 'BUY NOW' : 'SOLD OUT'}
        </Button>
      </Stack>
    </form>
  );
}

/** Why this many cannot be ordered, told as soon as that is so: the specified sentence speaks of the minimum alone. */
function outOfRange(quantity: number | string, { minorder, quantity: stock }: ProductView): string | null {
  if (typeof quantity !== 'number') return null;
  if (quantity > stock) return `Only ${stock} ${stock === 1 ? 'is' : 'are'} in stock.`;
  return quantity < minorder ? `The minimum order is ${minorder}.` : null;
}

/** What to know before ordering this quantity; `refusal` is why it cannot be ordered. */
function BeforePlacing({
  product,
  quantity,
  refusal,
}: {
  product: ProductView;
  quantity: number;
  refusal: string | null;
}) {
  if (refusal !== null) {
    return (
      <Alert color="yellow" role="status">
        {refusal}
      </Alert>
    );
  }
  if (quantity <= product.quantity / 2 || quantity <= product.minorder) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      This is more than half of what is left, so it is kept for you for 30 minutes at most. Pay before then.
    </Text>
  );
}

/** Why nothing can be ordered now, and what to do instead. */
function SoldOut({ product: { quantity, minorder } }: { product: ProductView }) {
  const live = useSelector(selectIsLive);
  const left = quantity === 0 ? 'None are left' : `Only ${quantity} left, and the minimum order is ${minorder}`;
  return (
    <Alert color="gray" title="Sold out" role="status">
      {left}.{live ? ' This page updates by itself.' : ''}{' '}
      <Anchor component={Link} to="/allproducts?inStock=1" inherit>
        See what is in stock
      </Anchor>
    </Alert>
  );
}
