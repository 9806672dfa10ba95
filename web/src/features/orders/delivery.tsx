import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { FormProblem } from '../../api/use-submit.tsx';
import { useDraftForm, useOpenForm } from '../../session/use-draft.ts';
import { DELIVERY_RULES, DeliveryFields } from '../../shop/orders/delivery-fields.tsx';
import { useChangeDeliveryMutation } from '../../shop/orders/orders.api.ts';
import { Parcel } from '../../shop/orders/parcel.tsx';
import { languageOf } from '../../ui/language.ts';
import paper from '../../ui/paper.module.css';

const draftOf = ({ _id }: OrderView) => `delivery ${_id}`;

/** Shows an order's delivery address and phone, which the customer can correct until the order ships (O5). */
export function Delivery({ order }: { order: OrderView }) {
  const [editing, setEditing] = useOpenForm(draftOf(order));
  const isSent = order.shippedAt !== null;
  const isNeverSent = order.cancelledAt !== null || order.heldBack === 'refunded' || order.heldBack === 'lost';
  const changeable = !isSent && !isNeverSent;
  return (
    <Stack component="section" aria-labelledby="delivery" gap="sm" align="flex-start">
      <Title id="delivery" order={2} size="h3">
        Delivery
      </Title>
      {editing && changeable ? (
        <DeliveryForm order={order} onCancel={() => setEditing(false)} />
      ) : (
        <>
          <address>
            <strong lang={languageOf(order.name)}>{order.name}</strong>
            <span lang={languageOf(order.address)}>{order.address}</span>
            <span>{order.phone}</span>
          </address>
          <Parcel carrier={order.carrier} trackingNumber={order.trackingNumber} />
          {changeable ? (
            <Button
              data-focus-heir
              variant="default"
              size="sm"
              className={paper.screenOnly}
              onClick={() => setEditing(true)}
            >
              Change address or phone
            </Button>
          ) : null}
        </>
      )}
    </Stack>
  );
}

function DeliveryForm({ order, onCancel }: { order: OrderView; onCancel: () => void }) {
  const [change] = useChangeDeliveryMutation();
  const options = { initialValues: { address: order.address, phone: order.phone }, validate: DELIVERY_RULES };
  const { form, submit, pending, problem } = useDraftForm(draftOf(order), options, {
    async send(changes) {
      await change({ orderId: order._id, changes }).unwrap();
    },
  });
  return (
    <form onSubmit={submit} noValidate aria-label="Change address or phone">
      <Stack gap="md">
        <DeliveryFields form={form} autoFocus />
        <FormProblem problem={problem} />
        <Text size="sm" c="dimmed">
          This changes only order {order.number}, not your profile.
        </Text>
        <Group>
          <Button type="submit" loading={pending}>
            Save
          </Button>
          <Button variant="default" onClick={onCancel} disabled={pending}>
            Keep as it was
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
