import styles from './footer.module.css';

const PARTNERS = ['Nordhelm', 'Kestrel Cooling', 'Ferrox Power', 'Lumen Glass', 'Ostra Memory', 'Delta Nine Boards'];

/** These entries have no pages to link to, so they are plain text and don't look clickable. */
const GROUPS = [
  { title: 'Discover', entries: ['Casings', 'Complete builds', 'Limited editions', 'Upcoming products'] },
  { title: 'About', entries: ['Our workshop', 'How we test', 'Careers', 'Contact'] },
  { title: 'Resources', entries: ['Size guide', 'Assembly manuals', 'Warranty', 'Delivery times'] },
  { title: 'Social', entries: ['Facebook', 'Instagram', 'LinkedIn', 'YouTube'] },
];

/** The footer of every page outside the dashboard (H9). */
export function Footer() {
  return (
    <footer className={styles.footer}>
      <div className={`page ${styles.inner}`}>
        <section className={styles.about}>
          <p className={styles.name}>Micro Center</p>
          <p>
            A small manufacturer and supplier of desktop casings. We cut, paint and assemble in short runs, keep every
            panel in stock as a spare, and answer the phone ourselves.
          </p>
        </section>
        <div className={styles.groups}>
          {GROUPS.map(({ title, entries }) => (
            <section key={title}>
              <h2 className={styles.title}>{title}</h2>
              <ul className={styles.list}>
                {entries.map((entry) => (
                  <li key={entry}>{entry}</li>
                ))}
              </ul>
            </section>
          ))}
        </div>
        <section className={styles.partners}>
          <h2 className={styles.title}>Hardware partners</h2>
          <ul className={styles.brands}>
            {PARTNERS.map((brand) => (
              <li key={brand}>{brand}</li>
            ))}
          </ul>
        </section>
        <ul className={styles.legal}>
          <li>© Micro Center</li>
          <li>Terms</li>
          <li>Privacy</li>
          <li>Compliances</li>
        </ul>
      </div>
    </footer>
  );
}
