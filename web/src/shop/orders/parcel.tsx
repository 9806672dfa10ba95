import { Anchor, Text } from '@mantine/core';
import { CARRIERS, parcelLink } from '@micro-center/services/contracts/order/carriers.ts';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';

/**
 * An order's carrier and tracking number, with a link to the carrier's page for the parcel. Renders nothing until the
 * tracking number is known.
 */
export function Parcel({ carrier, trackingNumber }: Pick<OrderView, 'carrier' | 'trackingNumber'>) {
  if (carrier === null || trackingNumber === null) return null;
  const { name } = CARRIERS[carrier];
  return (
    <Text>
      Carried by {name}, number {trackingNumber}.{' '}
      <Anchor href={parcelLink(carrier, trackingNumber)} target="_blank" rel="noreferrer" inherit underline="always">
        Follow the parcel at {name}
      </Anchor>
    </Text>
  );
}
