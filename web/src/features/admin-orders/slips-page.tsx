import { Button } from '@mantine/core';
import { CARRIERS } from '@micro-center/services/contracts/carriers.ts';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { Fragment, useEffect, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { problemText } from '../../api/problem.ts';
import { useLiveEntry } from '../../live/live-document.ts';
import { useViews } from '../../live/use-live.ts';
import { orderWith } from '../../shop/orders/orders.api.ts';
import { formatTime } from '../../ui/format.ts';
import { languageOf } from '../../ui/language.ts';
import { PageHeading, usePageTitle } from '../../ui/page-heading.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Code128 } from './code-128.tsx';
import styles from './slips-page.module.css';

/** As many as one selection ships. */
const MOST_SLIPS = 200;

/** /dashboard/slips?orders=id,id: what to take from the shelves, then a packing slip for each order, a page each. */
export default function SlipsPage() {
  usePageTitle('Packing slips');
  const [params] = useSearchParams();
  const asked = params.get('orders') ?? '';
  const ids = useMemo(() => [...new Set(asked.split(',').filter(Boolean))].slice(0, MOST_SLIPS), [asked]);
  const orders = useViews('order', ids);
  const [failed, setFailed] = useState<ReadonlyMap<string, string>>(new Map());
  const slips = orders.filter(mayBePacked);
  const missing = ids.length - orders.length - failed.size;
  return (
    <div className={styles.page}>
      <div className={styles.screenOnly}>
        <PageHeading
          title="Packing slips"
          text={missing > 0 ? `Loading ${missing} of ${ids.length} orders.` : slipCount(slips.length)}
        >
          <Button disabled={missing > 0 || slips.length === 0} onClick={() => window.print()}>
            Print
          </Button>
        </PageHeading>
        {ids.map((id) => (
          <Followed key={id} id={id} onFailed={setFailed} />
        ))}
        <LeftOut orders={orders} failed={failed} />
      </div>
      {slips.length > 1 ? <PickList orders={slips} /> : null}
      {slips.map((order) => (
        <Slip key={order._id} order={order} />
      ))}
      {ids.length === 0 ? (
        <EmptyState
          title="No orders are chosen"
          text="Select orders on the board, then press p."
          action={
            <Button component={Link} to="/dashboard/allorder">
              Manage Orders
            </Button>
          }
        />
      ) : null}
    </div>
  );
}

const slipCount = (count: number) => (count === 1 ? '1 slip, a page of its own.' : `${count} slips, a page each.`);
const mayBePacked = ({ paid, cancelledAt }: OrderView) => paid && cancelledAt === null;

type Failures = ReadonlyMap<string, string>;
type FollowedProps = { id: string; onFailed: (change: (before: Failures) => Failures) => void };

/** Asks for one order, and says where it cannot be had. */
function Followed({ id, onFailed }: FollowedProps) {
  const { error } = useLiveEntry(orderWith(id));
  useEffect(() => {
    onFailed((before) => {
      const after = new Map(before);
      if (error === null) after.delete(id);
      else after.set(id, problemText(error));
      return after;
    });
  }, [id, error, onFailed]);
  return null;
}

/** Which orders get no slip, and why. */
function LeftOut({ orders, failed }: { orders: readonly OrderView[]; failed: Failures }) {
  const sentences = [
    ...orders
      .filter((order) => !mayBePacked(order))
      .map(({ number, cancelledAt }) => `${number} is ${cancelledAt === null ? 'not paid yet' : 'cancelled'}.`),
    ...new Set([...failed.values()].map((why) => `An order could not be loaded: ${why}`)),
  ];
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

/** What to take from the shelves, by product. */
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
    <section className={styles.sheet} aria-labelledby="pick-list">
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
    </section>
  );
}

/** Without prices: what is packed may be a present. */
function Slip({ order }: { order: OrderView }) {
  const { number, placedAt, name, address, phone, product, quantity, carrier, trackingNumber } = order;
  return (
    <section className={styles.sheet} aria-label={`Packing slip of ${number}`}>
      <header className={styles.head}>
        <div>
          <p className={styles.shop}>Micro Center</p>
          <h2 className={styles.number}>{number}</h2>
          <p>{formatTime(placedAt)}</p>
        </div>
        <Code128 text={number} />
      </header>
      <address className={styles.address}>
        <strong lang={languageOf(name)}>{name}</strong>
        <span lang={languageOf(address)} className={styles.lines}>
          {address}
        </span>
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
    </section>
  );
}
