import { Anchor, Button, Group, NativeSelect, Stack } from '@mantine/core';
import { CARRIERS, parcelLink } from '@micro-center/services/contracts/order/carriers.ts';
import { WITHDRAWAL_REASONS, type WithdrawalReason } from '@micro-center/services/contracts/order/order-reasons.ts';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { useState } from 'react';
import { hasProblemCode } from '../../api/problem.ts';
import { FormProblem } from '../../api/use-submit.tsx';
import { useOpenForm } from '../../session/use-draft.ts';
import { useNow } from '../../ui/use-now.ts';
import { useWithdrawShipmentMutation } from './admin-orders.api.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './order-drawer.module.css';
import { parcelDraft, RecordParcelForm } from './parcel-form.tsx';
import { WITHDRAWAL_WORDS } from './reason-words.ts';

/**
 * The time limit for undoing a shipment without a reason, in milliseconds after shipping. The server has the same
 * limit.
 */
const WITHOUT_REASON = 30_000;
/**
 * The time limit for undoing a shipment with a reason, in milliseconds after shipping. The server has the same limit.
 */
const WITH_REASON = 15 * 60_000;

/** The carrier and tracking link of a shipped order, or the form to record them. */
export function Parcel({ order }: { order: OrderView }) {
  const [editing, setEditing] = useOpenForm(parcelDraft(order));
  const { carrier, trackingNumber } = order;
  if (editing || carrier === null || trackingNumber === null) {
    return <RecordParcelForm order={order} onCancel={() => setEditing(false)} />;
  }
  return (
    <Group gap="sm">
      <span>{CARRIERS[carrier].name}</span>
      <Anchor inherit href={parcelLink(carrier, trackingNumber)} target="_blank" rel="noreferrer">
        {trackingNumber}
      </Anchor>
      <CopyButton text={trackingNumber} what="tracking number" />
      <Button variant="subtle" size="compact-sm" onClick={() => setEditing(true)}>
        Correct
      </Button>
    </Group>
  );
}

/** The button that undoes a shipment, shown for 15 minutes after shipping. */
export function TakeBack({ order: { _id, shippedAt, shipment } }: { order: OrderView }) {
  const start = shippedAt === null ? 0 : Date.parse(shippedAt);
  const elapsed = useNow((now) => Math.min(now + 1_000, start + WITH_REASON)) - start;
  const [reason, setReason] = useState<WithdrawalReason>('mistake');
  const [takeBack, { isLoading, error }] = useWithdrawShipmentMutation();
  if (shipment === null || elapsed >= WITH_REASON) return null;
  // The shop requires a reason once `WITHOUT_REASON` has passed. If this device's clock is behind the shop's, the form
  // may not ask for a reason yet. The shop then refuses the first request, and the form asks for a reason.
  const asks = elapsed >= WITHOUT_REASON || hasProblemCode(error, 'reason_required');
  const minutes = Math.ceil((WITH_REASON - elapsed) / 60_000);
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-end" className={styles.back}>
        {asks ? (
          <NativeSelect
            label="Reason"
            size="md"
            value={reason}
            data={WITHDRAWAL_REASONS.map((value) => ({ value, label: WITHDRAWAL_WORDS[value] }))}
            onChange={({ currentTarget }) => setReason(currentTarget.value as WithdrawalReason)}
          />
        ) : null}
        <Button
          variant="default"
          loading={isLoading}
          onClick={() => void takeBack({ id: _id, shipment, reason: asks ? reason : undefined })}
        >
          Take shipment back
        </Button>
      </Group>
      <p className={styles.quiet}>
        {asks
          ? `The customer will be emailed a correction. You have ${minutes} min left to take this shipment back.`
          : 'The customer has not been emailed about this shipment yet.'}
      </p>
      <FormProblem problem={error} />
    </Stack>
  );
}
