import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import {
  CARRIERS,
  type Carrier,
  carrierSchema,
  trackingNumberSchema,
} from '@micro-center/services/contracts/order/carriers.ts';
import { readOrderNumber } from '@micro-center/services/contracts/order/order-number.ts';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { useState } from 'react';
import { FormProblem } from '../../api/use-submit.tsx';
import { useDraftForm } from '../../session/use-draft.ts';
import { useRecordParcelMutation } from './admin-orders.api.ts';
import { useBoard, useScannedText } from './board-context.ts';
import styles from './order-drawer.module.css';
import { hasFailed } from './shippings.ts';

const OPTIONS = Object.entries(CARRIERS).map(([value, { name }]) => ({ value, label: name }));

/**
 * The storage key of the carrier that was last used in this browser. The form preselects this carrier, because most
 * parcels on a given day ship with the same one.
 */
const LAST_CARRIER = 'lastCarrier';
const lastCarrier = (): Carrier => carrierSchema.safeParse(localStorage.getItem(LAST_CARRIER)).data ?? 'pathao';

function numberProblem(number: string): string | null {
  if (readOrderNumber(number) !== undefined) return 'This is an order number. Enter the carrier’s tracking number.';
  return trackingNumberSchema.safeParse(number).error?.issues[0]?.message ?? null;
}

/**
 * The form for a carrier and tracking number. A scan ends with Enter, so scanning into the tracking number field also
 * submits the form. A scan anywhere else on the page only fills in the field and focuses it.
 */
function useParcelForm(
  draft: string,
  order: OrderView,
  needed: boolean,
  send: (carrier: Carrier, number: string) => Promise<void>,
) {
  const [offered] = useState(lastCarrier);
  const options = {
    initialValues: { carrier: order.carrier ?? offered, trackingNumber: order.trackingNumber ?? '' },
    validate: {
      trackingNumber: (number: string) => (!needed && number.trim() === '' ? null : numberProblem(number)),
    },
  };
  const { form, ...submission } = useDraftForm(draft, options, {
    send: async ({ carrier, trackingNumber }) => {
      await send(carrier, trackingNumber.trim());
      localStorage.setItem(LAST_CARRIER, carrier);
    },
  });
  useScannedText((text) => {
    form.setFieldValue('trackingNumber', text);
    form.getInputNode('trackingNumber')?.focus();
  });
  const fields = (
    <div className={styles.fields}>
      <NativeSelect label="Carrier" size="md" data={OPTIONS} {...form.getInputProps('carrier')} />
      <TextInput
        label="Tracking number"
        placeholder="Type or scan"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        enterKeyHint="send"
        {...form.getInputProps('trackingNumber')}
      />
    </div>
  );
  return { ...submission, fields };
}

/** The form that ships an order and, if they are already known, records its carrier and tracking number. */
export function DeliverForm({ order, onDelivered }: { order: OrderView; onDelivered: () => void }) {
  const { ship } = useBoard().shipping;
  const { fields, submit, pending, problem } = useParcelForm(
    `deliver ${order._id}`,
    order,
    false,
    async (carrier, trackingNumber) => {
      const parcel = trackingNumber === '' ? {} : { carrier, trackingNumber };
      const [line] = await ship([order], parcel);
      if (line && hasFailed(line)) throw line.error;
      onDelivered();
    },
  );
  return (
    <form onSubmit={submit} className={styles.form} noValidate aria-label="Deliver">
      {fields}
      <Button type="submit" loading={pending}>
        DELIVER
      </Button>
      <FormProblem problem={problem} />
    </form>
  );
}

export const parcelDraft = ({ _id }: OrderView) => `parcel ${_id}`;

/** The form that records or corrects the carrier and tracking number of a shipped order. */
export function RecordParcelForm({ order, onCancel }: { order: OrderView; onCancel: () => void }) {
  const [record] = useRecordParcelMutation();
  const { fields, submit, pending, problem } = useParcelForm(
    parcelDraft(order),
    order,
    true,
    async (carrier, trackingNumber) => {
      await record({ id: order._id, carrier, trackingNumber }).unwrap();
    },
  );
  return (
    <form onSubmit={submit} className={styles.form} noValidate aria-label="Parcel">
      {fields}
      <Group gap="sm" grow>
        <Button type="submit" loading={pending}>
          Save
        </Button>
        {order.trackingNumber === null ? null : (
          <Button variant="default" onClick={onCancel}>
            Keep as it was
          </Button>
        )}
      </Group>
      <FormProblem problem={problem} />
    </form>
  );
}
