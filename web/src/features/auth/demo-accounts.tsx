import { SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import { type DemoAccount, useListDemoAccountsQuery } from './demo.api.ts';
import styles from './demo-accounts.module.css';

const ROLES: Record<DemoAccount['role'], string> = { admin: 'Admin', customer: 'Shopper' };

/** Lists the demo shop's accounts. A click on an account fills in the sign-in form. */
export function DemoAccounts({ onChoose }: { onChoose: (account: DemoAccount) => void }) {
  const { data: accounts = [] } = useListDemoAccountsQuery();
  if (accounts.length === 0) return null;
  return (
    <section className={styles.accounts} aria-label="Demo accounts">
      <Text size="sm" c="dimmed">
        This is a demo shop. Choose an account to fill in the form:
      </Text>
      <SimpleGrid component="ul" minColWidth="min(100%, 15rem)" autoFlow="auto-fit" spacing="sm" mt="sm">
        {accounts.map((account) => (
          <li key={account.email}>
            <UnstyledButton className={styles.account} onClick={() => onChoose(account)}>
              <strong>{account.name}</strong>
              <span>{ROLES[account.role]}</span>
              <span className={styles.email}>{account.email}</span>
            </UnstyledButton>
          </li>
        ))}
      </SimpleGrid>
    </section>
  );
}
