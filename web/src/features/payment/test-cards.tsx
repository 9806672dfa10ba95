import { Table, Text } from '@mantine/core';
import styles from './payment.module.css';

const CARDS = [
  { number: '4242 4242 4242 4242', effect: 'Succeeds' },
  { number: '4000 0000 0000 3220', effect: 'Requires 3-D Secure' },
  { number: '4000 0000 0000 0002', effect: 'Declined' },
  { number: '4000 0000 0000 9995', effect: 'Insufficient funds' },
  { number: '4000 0000 0000 0069', effect: 'Expired card' },
  { number: '4000 0000 0000 0127', effect: 'Incorrect security code' },
] as const;

/** Lists test cards for demo mode. Demo mode accepts no real cards and moves no money. */
export function TestCards() {
  return (
    <section aria-labelledby="test-cards">
      <Text id="test-cards" component="h2" fw={600} size="sm" mb="sm">
        Demo shop: no card is charged. Try one of these cards
      </Text>
      <Table aria-labelledby="test-cards" fz="sm" verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Card number</Table.Th>
            <Table.Th>Result</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {CARDS.map(({ number, effect }) => (
            <Table.Tr key={number}>
              <Table.Td className={styles.figure}>{number}</Table.Td>
              <Table.Td>{effect}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" mt="sm">
        Use any future expiry date, and any three digits as the security code.
      </Text>
    </section>
  );
}
