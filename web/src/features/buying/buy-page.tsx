import { Alert, Anchor, Button, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { toPoisha, totalTaka } from '@micro-center/services/contracts/money.ts';
import type { ProductView } from '@micro-center/services/contracts/product/product-view.ts';
import { skipToken } from '@reduxjs/toolkit/query';
import { type ReactNode, useDeferredValue, useLayoutEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { useGetClientConfigQuery } from '../../api/client-config.ts';
import { NotLoaded } from '../../api/not-loaded.tsx';
import { hasProblemCode, problemOf } from '../../api/problem.ts';
import { FormProblem } from '../../api/use-submit.tsx';
import { selectIsLive } from '../../live/live-slice.ts';
import { useLiveEntry } from '../../live/use-live-document.ts';
import { selectSession } from '../../session/session-slice.ts';
import { useDraftForm } from '../../session/use-draft.ts';
import { DELIVERY_RULES, DeliveryFields } from '../../shop/orders/delivery-fields.tsx';
import { OrderSum } from '../../shop/orders/order-sum.tsx';
import { usePlaceOrderMutation } from '../../shop/orders/orders.api.ts';
import { productWith } from '../../shop/products/product.api.ts';
import { ProductDetails } from '../../shop/products/product-details.tsx';
import { isBuyable } from '../../shop/products/stock.tsx';
import { formatTaka } from '../../ui/format.ts';
import { languageOf } from '../../ui/language.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { usePageTitle } from '../../ui/page-heading.tsx';
import { EmptyState, LoadingState } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { WholeNumberInput } from '../../ui/whole-number-input.tsx';
import styles from './buy-page.module.css';
import { useGetKnownDeliveryQuery } from './known-delivery.api.ts';
import { ProductHead } from './product-head.tsx';
import { isScarce, outOfRange, type Quantity, quantityFits, quantityProblem, unpayable } from './quantity.ts';

export default function BuyPage() {
  const { id = '' } = useParams();
  const { data: product, error, refetch } = useLiveEntry(productWith(id));
  usePageTitle(product?.name ?? 'Buy');
  if (hasProblemCode(error, 'not_found')) {
    return (
      <EmptyState
        title="This product is not sold here"
        text="The product may have been removed from the shop."
        action={<LinkButton to="/allproducts">See all items</LinkButton>}
      />
    );
  }
  if (product === undefined) return <NotLoaded what="the product" error={error} onRetry={refetch} />;
  return <Purchase key={id} product={product} refetch={refetch} />;
}

type Refetch = () => Promise<ProductView | undefined>;

function Purchase({ product, refetch }: { product: ProductView; refetch: Refetch }) {
  // React renders a deferred update in slices, so a phone still responds to touch while the form appears.
  const { status } = useDeferredValue(useSelector(selectSession));
  return (
    <div className={styles.page}>
      <ProductHead product={product} />
      {status === 'signed-in' ? <BuyForm product={product} refetch={refetch} /> : <FormOnItsWay />}
      <section className={styles.facts} aria-labelledby="facts">
        <Title order={2} size="h3" id="facts">
          Specifications
        </Title>
        <ProductDetails product={product} />
      </section>
    </div>
  );
}

type BuyFields = { address: string; phone: string; quantity: Quantity };

/** Prefills the customer's known address and phone, except in fields that contain text or have the focus (P4). */
function useKnownDelivery(form: UseFormReturnType<BuyFields>, email: string | null): void {
  const { data: known } = useGetKnownDeliveryQuery(email ?? skipToken, { refetchOnMountOrArgChange: true });
  // This is a layout effect, so that no key press or click can come between checking the fields and filling them in.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the delivery is known
  useLayoutEffect(() => {
    if (known === undefined) return;
    const isFree = (field: 'address' | 'phone') =>
      form.getValues()[field] === '' && document.activeElement !== form.getInputNode(field);
    const given = Object.fromEntries(
      (['address', 'phone'] as const).filter(isFree).map((field) => [field, known[field]]),
    );
    // A draft stores only the fields that differ from their initial values. Setting the prefilled values as initial
    // values keeps them out of the draft.
    form.setInitialValues({ ...form.getInitialValues(), ...given });
    form.setValues(given);
  }, [known]);
}

function usePurchase(product: ProductView, refetch: Refetch) {
  const { email, name } = useSelector(selectSession);
  const customer = { email: email ?? '', name: name ?? '' };
  const navigate = useNavigate();
  const [place] = usePlaceOrderMutation();
  // The price that is sent with the order. It doesn't follow live price changes, because the shopper may not notice
  // them. If the price has changed, the shop refuses the order. The form then shows the new price and uses it for the
  // next attempt (CMD6).
  const [seenPrice, setSeenPrice] = useState(product.price);
  const { data: config } = useGetClientConfigQuery();
  const minimum = config?.paymentMinimum ?? 0;
  const [initialValues] = useState({ address: '', phone: '', quantity: product.minorder as Quantity });
  const options = {
    initialValues,
    validate: {
      ...DELIVERY_RULES,
      quantity: (quantity: Quantity) => quantityProblem(quantity, product, minimum),
    },
  };
  const { form, ...submission } = useDraftForm<BuyFields>(`buy ${product._id}`, options, {
    async send({ address, phone, quantity }, key) {
      const ordered = { product: product.name, productId: product._id, quantity: Number(quantity), price: seenPrice };
      const { insertedId, number } = await place({ key, order: { ...customer, address, phone, ...ordered } }).unwrap();
      toast.success(
        <div>
          <div>Please pay for confirm order</div>
          <div>Order {number}</div>
        </div>,
      );
      navigate(`/dashboard/payment/${insertedId}`);
    },
    async refused(error) {
      const { code, title } = problemOf(error);
      if (code === 'price_changed') setSeenPrice((await refetch())?.price ?? seenPrice);
      if (code !== 'quantity_out_of_range') return error;
      void refetch();
      form.setFieldError('quantity', title);
      return null;
    },
  });
  useKnownDelivery(form, email);
  return { form, ...submission, customer, minimum };
}

/** Explains a problem with the order. Returns undefined if the problem's own message says enough. */
function orderProblem(problem: unknown, price: number): ReactNode {
  const { code, title, detail } = problemOf(problem);
  if (code === 'price_changed') return `${title} It is ${formatTaka(price)} now.`;
  const myOrders = (
    <Anchor component={Link} to="/dashboard/myorders" inherit>
      My orders
    </Anchor>
  );
  if (code === 'too_many_unpaid_orders') {
    return (
      <>
        {detail ?? title} You can find your unpaid orders under {myOrders}.
      </>
    );
  }
  if (code !== 'idempotency_key_reused') return undefined;
  return <>Your earlier attempt to place this order went through. Check {myOrders} before you order again.</>;
}

/** Shown in place of the form until the session is known. */
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

function BuyForm({ product, refetch }: { product: ProductView; refetch: Refetch }) {
  const { form, submit, pending, problem, customer, minimum } = usePurchase(product, refetch);
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
        <DeliveryFields form={form} />
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
          <BeforePlacing product={product} quantity={quantity} refusal={unpayable(quantity, product, minimum)} />
        ) : null}
        {fits ? (
          <div aria-live="polite">
            <OrderSum quantity={quantity} price={product.price} total={totalTaka(toPoisha(product.price), quantity)} />
          </div>
        ) : null}
        <FormProblem problem={problem}>{orderProblem(problem, product.price)}</FormProblem>
        <Button type="submit" size="md" variant={fits ? 'filled' : 'default'} loading={pending} disabled={!buyable}>
          {buyable ? 'BUY NOW' : 'SOLD OUT'}
        </Button>
      </Stack>
    </form>
  );
}

interface BeforePlacingProps {
  product: ProductView;
  quantity: number;
  /** why this quantity can't be ordered, or null if it can */
  refusal: string | null;
}

/**
 * Shows why this quantity can't be ordered. If it can be ordered but is more than half of the stock (see `isScarce`),
 * warns that the items are held for at most 30 minutes.
 */
function BeforePlacing({ product, quantity, refusal }: BeforePlacingProps) {
  if (refusal !== null) {
    return (
      <Alert color="yellow" role="status">
        {refusal}
      </Alert>
    );
  }
  if (!isScarce(quantity, product)) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      This is more than half of the remaining stock, so it is kept for you for 30 minutes at most. Please pay within
      that time.
    </Text>
  );
}

/** Says why the product can't be ordered now, and what to do instead. */
function SoldOut({ product: { quantity, minorder } }: { product: ProductView }) {
  const live = useSelector(selectIsLive);
  const left = quantity === 0 ? 'None are left' : `Only ${quantity} left, and the minimum order is ${minorder}`;
  return (
    <Alert color="gray" title="Sold out" role="status">
      {left}.{live ? ' This page updates automatically.' : ''}{' '}
      <Anchor component={Link} to="/allproducts?inStock=1" inherit>
        See what is in stock
      </Anchor>
    </Alert>
  );
}
