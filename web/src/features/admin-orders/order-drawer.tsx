import { Button, CloseButton, Drawer } from '@mantine/core';
import { useMediaQuery, useWindowEvent } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import { useStore } from 'react-redux';
import { NotLoaded } from '../../api/not-loaded.tsx';
import { hasProblemCode } from '../../api/problem.ts';
import { useLiveEntry } from '../../live/use-live-document.ts';
import { isUnchanged, readDraft } from '../../session/draft.ts';
import { draftChanged, type PageStateRoot } from '../../session/page-state.ts';
import { useDraftOf } from '../../session/use-draft.ts';
import { orderWith } from '../../shop/orders/orders.api.ts';
import { EmptyState } from '../../ui/states.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { CopyButton } from './copy-button.tsx';
import { OrderDetails } from './order-details.tsx';
import styles from './order-drawer.module.css';
import { refundDraft } from './refund-form.tsx';
import { useOpenOrder } from './use-open-order.ts';

/** The minimum screen width at which the board fits next to the drawer. Same as `--wide-up` in ui/breakpoints.css. */
const BESIDE = '(min-width: 80em)';

/**
 * Shows the order named by the `order` parameter of the page's URL. The drawer is next to the board on a wide screen
 * and covers the board on a narrower one.
 */
export function OrderDrawer() {
  const { id, close } = useOpenOrder();
  const beside = useMediaQuery(BESIDE, false, { getInitialValueInEffect: false });
  useKeptFocus();
  useRefundClosesWith(id);
  if (id === null) return null;
  const Frame = beside ? SidePanel : Sheet;
  return (
    <Frame onClose={close}>
      <FollowedOrder key={id} id={id} onClose={close} />
    </Frame>
  );
}

/** Closing an order also closes its refund form, unless something has been entered into the form. */
function useRefundClosesWith(id: string | null): void {
  const store = useStore<PageStateRoot>();
  const opened = useRef(id);
  useEffect(() => {
    const form = refundDraft(opened.current ?? '');
    const draft = readDraft(store.getState().pageState.drafts[form]);
    if (opened.current !== id && draft && isUnchanged(draft)) store.dispatch(draftChanged({ form, draft: null }));
    opened.current = id;
  }, [store, id]);
}

type FrameProps = { onClose: () => void; children: ReactNode };

/** The board next to the panel stays usable, so the panel doesn't trap the focus. */
function SidePanel({ onClose, children }: FrameProps) {
  useWindowEvent('keydown', ({ key, defaultPrevented }) => {
    // If a dialog is on top of the panel, Escape closes only the dialog.
    const isBelow = document.querySelector('[aria-modal="true"]') !== null;
    if (key === 'Escape' && !defaultPrevented && !isBelow) onClose();
  });
  return (
    // Because of tabIndex, a click on the panel's text moves the focus into the panel. While the focus is there, the
    // board's keyboard shortcuts are off.
    <section className={styles.panel} aria-label="Order" data-order-drawer tabIndex={-1}>
      {children}
    </section>
  );
}

function Sheet({ onClose, children }: FrameProps) {
  return (
    <Drawer.Root opened onClose={onClose} position="right" size="28rem" returnFocus={false}>
      <Drawer.Overlay />
      <Drawer.Content aria-label="Order" data-order-drawer>
        <Drawer.Body className={styles.sheet}>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function FollowedOrder({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: order, error, refetch } = useLiveEntry(orderWith(id));
  const heading = useRef<HTMLHeadingElement>(null);
  const isRefunding = useDraftOf(refundDraft(id)) !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves once, when the order opens
  useEffect(() => {
    if (!isRefunding) heading.current?.focus({ preventScroll: true });
  }, []);
  const gone = hasProblemCode(error, 'not_found') || hasProblemCode(error, 'invalid_request');
  return (
    <>
      <div className={styles.header}>
        <h2
          ref={heading}
          tabIndex={-1}
          className={styles.number}
          data-autofocus={!isRefunding || undefined}
          data-focus-heir
        >
          {order?.number ?? 'Order'}
        </h2>
        {order ? <CopyButton text={order.number} what="order number" /> : null}
        <CloseButton aria-label="Close" ml="auto" onClick={onClose} />
      </div>
      {order ? (
        <OrderDetails order={order} />
      ) : gone ? (
        <EmptyState
          title="There is no such order"
          text="The link may be incomplete. Search for the order number, customer or phone number instead."
          action={
            <Button variant="default" onClick={onClose}>
              Back to the board
            </Button>
          }
        />
      ) : (
        <NotLoaded what="the order" error={error} onRetry={refetch} />
      )}
    </>
  );
}
