import JsBarcode from 'jsbarcode';
import styles from './slips-page.module.css';

/** The bars of `text` as Code 128, in modules: `110` is a bar of two, then a space. */
function modulesOf(text: string): string {
  const drawing: { encodings?: { data: string }[] } = {};
  JsBarcode(drawing, text, { format: 'CODE128' });
  return (drawing.encodings ?? []).map(({ data }) => data).join('');
}

/** What a scanner needs free on either side, in modules. */
const QUIET = 10;

/** A code that every scanner of a shop reads, those that read no square codes too. */
export function Code128({ text }: { text: string }) {
  const modules = modulesOf(text);
  const bars = Array.from(
    modules.matchAll(/1+/g),
    ({ 0: bar, index }) => `M${index + QUIET} 0h${bar.length}v1h-${bar.length}z`,
  );
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${modules.length + 2 * QUIET} 1`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      role="img"
      aria-label={`Code of ${text}`}
    >
      <path d={bars.join('')} />
    </svg>
  );
}
