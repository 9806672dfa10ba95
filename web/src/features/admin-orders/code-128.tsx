import JsBarcode from 'jsbarcode';
import styles from './slips-page.module.css';

/**
 * Encodes `text` as Code 128 and returns one digit per module. For example, `110` is a bar two modules wide, then a
 * space one module wide.
 */
function modulesOf(text: string): string {
  const drawing: { encodings?: { data: string }[] } = {};
  JsBarcode(drawing, text, { format: 'CODE128' });
  return (drawing.encodings ?? []).map(({ data }) => data).join('');
}

/** The blank margin that a scanner needs on either side of the code, in modules. */
const QUIET = 10;

/** A linear barcode, which every shop scanner can read, including those that can't read QR codes. */
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
