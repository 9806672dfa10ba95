import { IconDeviceDesktop } from '@tabler/icons-react';
import { useState } from 'react';
import styles from './product-image.module.css';

interface ProductImageProps {
  src: string;
  alt: string;
  dimmed?: boolean;
  /** loads the picture eagerly, for pictures above the fold */
  eager?: boolean;
}

/** A product's picture in the catalogue's aspect ratio, or an icon if there is no picture or it fails to load. */
export function ProductImage({ src, alt, dimmed = false, eager = false }: ProductImageProps) {
  const [failedSrc, setFailedSrc] = useState<string | null>(null);
  const loading = eager ? 'eager' : 'lazy';
  return (
    <div className={styles.frame} data-dimmed={dimmed || undefined}>
      {src === '' || src === failedSrc ? (
        <IconDeviceDesktop size={64} stroke={1} role="img" aria-label={alt} aria-hidden={alt === ''} />
      ) : (
        <img src={src} alt={alt} width={400} height={300} loading={loading} onError={() => setFailedSrc(src)} />
      )}
    </div>
  );
}
