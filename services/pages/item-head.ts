import escapeHtml from 'escape-html';
import { CURRENCY } from '../contracts/money.ts';
import type { ProductDocument } from '../contracts/product/product-document.ts';
import type { ReviewDocument } from '../contracts/review/review-document.ts';
import { productView } from '../shop/product/product-view.ts';
import { jsonInScript } from './page-html.ts';

type Item = ReturnType<typeof productView>;
type Rating = Pick<ReviewDocument, 'ratings'>;

/**
 * Returns the title, link preview and structured data for the head of a product's page. These elements replace the
 * parts of index.html's head that describe the whole shop.
 */
export function itemHead(product: ProductDocument, reviews: readonly Rating[], origin: string): string {
  const item = productView(product);
  const address = `${origin}/items/${item._id}`;
  const picture = pictureOf(item, origin);
  return [
    `<title>${escapeHtml(item.name)} - Micro Center</title>`,
    `<meta name="description" content="${escapeHtml(summaryOf(item))}" />`,
    `<link rel="canonical" href="${address}" />`,
    property('og:type', 'product'),
    property('og:url', address),
    property('og:title', item.name),
    property('og:description', summaryOf(item)),
    property('og:image', picture),
    property('og:image:alt', item.name),
    property('product:price:amount', item.price.toFixed(2)),
    property('product:price:currency', CURRENCY.toUpperCase()),
    `<script type="application/ld+json">${jsonInScript(structured(item, reviews, origin))}</script>`,
  ].join('');
}

function summaryOf({ description, processor }: Item): string {
  return description || processor || 'Computer casings and builds, with live stock.';
}

/**
 * Returns the picture's URL for link previews, which can't show SVGs. If the product's picture is an SVG or missing,
 * returns the URL of the shop's own picture.
 */
function pictureOf({ img1 }: Item, origin: string): string {
  return img1 === '' || /\.svg$/i.test(img1) ? `${origin}/og-image.png` : new URL(img1, origin).href;
}

/** Returns a schema.org Product. A review's rating may be any number above 0, so `worstRating` is 0. */
function structured(item: Item, reviews: readonly Rating[], origin: string): object {
  const sum = reviews.reduce((total, { ratings }) => total + ratings, 0);
  const details = { processor: item.processor, 'graphics card': item.gpu, rated: item.rated };
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: item.name,
    sku: item._id,
    description: summaryOf(item),
    image: [item.img1, item.img2].filter(Boolean).map((picture) => new URL(picture, origin).href),
    additionalProperty: Object.entries(details)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => ({ '@type': 'PropertyValue', name, value })),
    offers: {
      '@type': 'Offer',
      url: `${origin}/items/${item._id}`,
      price: item.price.toFixed(2),
      priceCurrency: CURRENCY.toUpperCase(),
      availability: `https://schema.org/${item.quantity >= item.minorder ? 'InStock' : 'OutOfStock'}`,
      eligibleQuantity: { '@type': 'QuantitativeValue', minValue: item.minorder },
    },
    ...(reviews.length > 0 && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: (sum / reviews.length).toFixed(1),
        reviewCount: reviews.length,
        bestRating: 5,
        worstRating: 0,
      },
    }),
  };
}

function property(name: string, content: string): string {
  return `<meta property="${name}" content="${escapeHtml(content)}" />`;
}
