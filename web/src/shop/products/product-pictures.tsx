import { UnstyledButton } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/product/product-view.ts';
import { useState } from 'react';
import { ProductImage } from './product-image.tsx';
import styles from './product-pictures.module.css';

/** A product's picture. If the product has two pictures, thumbnails let the user choose one. */
export function ProductPictures({ product: { name, img1, img2 } }: { product: ProductView }) {
  const [chosen, setChosen] = useState(0);
  const pictures = img2 === '' ? [img1] : [img1, img2];
  const shown = Math.min(chosen, pictures.length - 1);
  return (
    <>
      <ProductImage
        key={shown}
        src={pictures[shown] ?? ''}
        alt={shown === 0 ? name : `${name}, second picture`}
        eager
      />
      {pictures.length > 1 ? (
        // biome-ignore lint/a11y/useSemanticElements: these pictures are not a group of form fields
        <div className={styles.choice} role="group" aria-label="Pictures">
          {pictures.map((picture, position) => (
            <UnstyledButton
              key={position === 0 ? 'first' : 'second'}
              className={styles.small}
              aria-label={`Picture ${position + 1}`}
              aria-pressed={position === shown}
              onClick={() => setChosen(position)}
            >
              <ProductImage src={picture} alt="" eager />
            </UnstyledButton>
          ))}
        </div>
      ) : null}
    </>
  );
}
