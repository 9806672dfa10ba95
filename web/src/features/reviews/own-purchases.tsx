import { Button, Group, Text } from '@mantine/core';
import { useSelector } from 'react-redux';
import { useLiveList, useViews } from '../../live/use-live.ts';
import { selectSession } from '../../session/session-slice.ts';
import { ordersOf } from '../../shop/orders/orders.api.ts';

export const OWN_PURCHASES = 'own-purchases';
/** The maximum number of product buttons. The name field suggests all products that the customer has ordered. */
const AT_HAND = 4;

/** Suggests the products that the customer has ordered. The customer can type any other name instead. */
export function OwnPurchases({ chosen, onChoose }: { chosen: string; onChoose: (name: string) => void }) {
  const { email } = useSelector(selectSession);
  const { list } = useLiveList(email === null ? null : ordersOf(email));
  const names = [...new Set(useViews('order', list?.ids ?? []).map(({ product }) => product))];
  return (
    <>
      <datalist id={OWN_PURCHASES}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {names.length === 0 ? null : (
        <Group gap="sm" role="group" aria-label="Products you bought">
          <Text size="sm" c="dimmed" aria-hidden="true">
            You bought
          </Text>
          {names.slice(0, AT_HAND).map((name) => (
            <Button
              key={name}
              variant={name === chosen ? 'light' : 'default'}
              size="xs"
              aria-pressed={name === chosen}
              onClick={() => onChoose(name)}
            >
              {name}
            </Button>
          ))}
        </Group>
      )}
    </>
  );
}
