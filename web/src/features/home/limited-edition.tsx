import { Text, Title } from '@mantine/core';
import styles from './limited-edition.module.css';

const COMPONENTS = [
  { name: 'Processor', value: '8-core 3.8 GHz' },
  { name: 'Memory', value: '32GB RAM' },
  { name: 'Graphics', value: 'Two GPUs' },
  { name: 'Storage', value: '2TB NVME SSD' },
];

/** The limited-edition build that any buyer can win (H5). */
export function LimitedEdition() {
  return (
    <section className={styles.block} aria-labelledby="give-way">
      <div>
        <Title order={2} id="give-way" className={styles.title}>
          Give way!
        </Title>
        <Text className={styles.lead}>Just purchase any product once for entry!</Text>
        <Text className={styles.name}>eXcross V8 Limited Edition</Text>
        <Text size="sm" className={styles.quiet}>
          Minimum components
        </Text>
        <dl className={styles.components}>
          {COMPONENTS.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <img className={styles.image} src="/casings/bengal-w16.svg" alt="" width={800} height={600} loading="lazy" />
    </section>
  );
}
