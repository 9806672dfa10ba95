import styles from './statistics.module.css';

const FIGURES = [
  { value: '77', label: 'countries' },
  { value: '55+', label: 'products' },
  { value: '999+', label: 'orders' },
  { value: '207+', label: 'happy clients' },
  { value: '444+', label: 'feedbacks' },
];

/** The shop in figures (H6). */
export function Statistics() {
  return (
    <section aria-label="The shop in figures">
      <dl className={styles.strip}>
        {FIGURES.map(({ value, label }) => (
          <div key={label} className={styles.figure}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
