import { Button, Group, Stack } from '@mantine/core';
import { CARRIERS } from '@micro-center/services/contracts/order/carriers.ts';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { Fragment, useMemo } from 'react';
import { useLocation } from 'react-router-dom';
import { problemText } from '../../api/problem.ts';
import { fetchLive } from '../../live/follow.ts';
import { useAllFollowed, useLiveDispatch, useViews } from '../../live/use-live.ts';
import type { LiveEntry } from '../../live/views.ts';
import { formatTime } from '../../ui/format.ts';
import { languageOf } from '../../ui/language.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeading, usePageTitle } from '../../ui/page-heading.tsx';
import paper from '../../ui/paper.module.css';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { chosenOrders } from './admin-orders.api.ts';
import { Code128 } from './code-128.tsx';
import styles from './slips-page.module.css';

/** The page /dashboard/slips#id,id: a pick list if there are several slips, then the packing slips, one per page. */
export default function SlipsPage() {
  usePageTitle('Packing slips');
  const { hash, search } = useLocation();
  // Older links pass the order ids in `?orders=`.
  const asked = new URLSearchParams(search).get('orders') ?? hash.slice(1);
  const ids = useMemo(() => [...new Set(asked.split(',').filter(Boolean))], [asked]);
  const { orders, missing, failed, absent, retry } = useChosen(ids);
  const slips = orders.filter(mayBePacked);
  return (
    <div className={`${styles.page} ${paper.printed}`}>
      <div className={paper.screenOnly}>
        <PageHeading
          title="Packing slips"
          text={missing > 0 ? `Loading ${missing} of ${ids.length} orders.` : slipCount(slips.length)}
        >
          <Button disabled={missing + failed.count > 0 || slips.length === 0} onClick={() => window.print()}>
            Print
          </Button>
        </PageHeading>
        {failed.count === 0 ? null : (
          <ErrorState
            title={`${failed.count} of ${ids.length} orders could not be loaded`}
            text={problemText(failed.error)}
            onRetry={retry}
          />
        )}
        <LeftOut orders={orders} absent={absent} />
      </div>
      {slips.length > 1 ? <PickList orders={slips} /> : null}
      {slips.map((order) => (
        <Slip key={order._id} order={order} />
      ))}
      {ids.length === 0 ? (
        <EmptyState
          title="No orders are chosen"
          text="Select orders on the board, then press p."
          action={<LinkButton to="/dashboard/allorder">Manage Orders</LinkButton>}
        />
      ) : null}
    </div>
  );
}

const slipCount = (count: number) => (count === 1 ? '1 slip, a page of its own.' : `${count} slips, a page each.`);
const mayBePacked = ({ paid, cancelledAt }: OrderView) => paid && cancelledAt === null;

/**
 * Loads the orders with these ids. Also counts the orders that are still loading (`missing`), failed to load (`failed`)
 * or don't exist (`absent`).
 */
function useChosen(ids: readonly string[]) {
  const dispatch = useLiveDispatch();
  const asked = useMemo(() => chosenOrders(ids), [ids]);
  const orders = useViews('order', ids);
  const known = new Set(orders.map(({ _id }) => _id));
  const unknownIn = (batches: readonly LiveEntry[]) =>
    batches.flatMap((batch) => batch.ids).filter((id) => !known.has(id)).length;

  const answered = useAllFollowed(asked).filter((one) => one?.type === 'entry' && one.request === null) as LiveEntry[];
  const refused = answered.filter((batch) => batch.error !== null && unknownIn([batch]) > 0);
  const failed = { count: unknownIn(refused), error: refused.at(-1)?.error };
  const absent = unknownIn(answered.filter(({ error }) => error === null));
  const missing = ids.length - orders.length - failed.count - absent;
  const retry = () => {
    for (const { path } of refused) void dispatch(fetchLive(path));
  };
  return { orders, missing, failed, absent, retry };
}

/** Lists the orders that have no packing slip, each with the reason. */
function LeftOut({ orders, absent }: { orders: readonly OrderView[]; absent: number }) {
  const sentences = orders
    .filter((order) => !mayBePacked(order))
    .map(({ number, cancelledAt }) => `${number} is ${cancelledAt === null ? 'not paid yet' : 'cancelled'}.`);
  if (absent > 0) {
    const which = absent === 1 ? 'An order' : `${absent} orders`;
    sentences.push(`${which} could not be loaded: There is nothing at this address.`);
  }
  if (sentences.length === 0) return null;
  return (
    <div role="alert" className={styles.leftOut}>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}

interface Pick {
  product: string;
  quantity: number;
  numbers: string[];
}

/** The quantities to take from the shelves, by product. */
function picksOf(orders: readonly OrderView[]): Pick[] {
  const picks = new Map<string, Pick>();
  for (const { productId, product, quantity, number } of orders) {
    const pick = picks.get(productId) ?? { product, quantity: 0, numbers: [] };
    picks.set(productId, { ...pick, quantity: pick.quantity + quantity, numbers: [...pick.numbers, number] });
  }
  return [...picks.values()].sort((a, b) => a.product.localeCompare(b.product));
}

function PickList({ orders }: { orders: readonly OrderView[] }) {
  return (
    <Stack component="section" gap="lg" className={styles.sheet} aria-labelledby="pick-list">
      <h2 id="pick-list" className={styles.number}>
        Pick list
      </h2>
      <table className={styles.picks}>
        <thead>
          <tr>
            <th scope="col">Quantity</th>
            <th scope="col">Product</th>
            <th scope="col">Orders</th>
          </tr>
        </thead>
        <tbody>
          {picksOf(orders).map(({ product, quantity, numbers }) => (
            <tr key={numbers[0]}>
              <td>{quantity}</td>
              <th scope="row" lang={languageOf(product)}>
                {product}
              </th>
              <td>
                {numbers.map((number, index) => (
                  <Fragment key={number}>
                    <span>{index < numbers.length - 1 ? `${number},` : number}</span>{' '}
                  </Fragment>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Stack>
  );
}

/** The packing slip of one order. It shows no prices, because the order may be a gift. */
function Slip({ order }: { order: OrderView }) {
  const { number, placedAt, name, address, phone, product, quantity, carrier, trackingNumber } = order;
  return (
    <Stack component="section" gap="lg" className={styles.sheet} aria-label={`Packing slip of ${number}`}>
      <Group component="header" justify="space-between" align="flex-start">
        <div>
          <strong>Micro Center</strong>
          <h2 className={styles.number}>{number}</h2>
          <p>{formatTime(placedAt)}</p>
        </div>
        <Code128 text={number} />
      </Group>
      <address>
        <strong lang={languageOf(name)}>{name}</strong>
        <span lang={languageOf(address)}>{address}</span>
        <span>{phone}</span>
      </address>
      <p className={styles.goods}>
        <strong>{quantity} ×</strong> <span lang={languageOf(product)}>{product}</span>
      </p>
      {carrier === null ? null : (
        <p>
          {CARRIERS[carrier].name} {trackingNumber}
        </p>
      )}
    </Stack>
  );
}
