import { IconDeviceDesktop } from '@tabler/icons-react';
import { useState } from 'react';
import styles from './product-image.module.css';

/** A product's picture in the one ratio of the catalogue; a drawn stand-in where there is none or it does not load. */
export function ProductImage({ src, alt, dimmed = false }: { src: string; alt: string; dimmed?: boolean }) {
  const [failedSrc, setFailedSrc] = useState<string | null>(null);
  return (
    <div className={styles.frame} data-dimmed={dimmed || undefined}>
      {src === '' || src === failedSrc ? (
        <IconDeviceDesktop size={64} stroke={1} role="img" aria-label={alt} />
      ) : (
        <img src={src} alt={alt} width={400} height={300} loading="lazy" onError={() => setFailedSrc(src)} />
      )}
    </div>
  );
}
