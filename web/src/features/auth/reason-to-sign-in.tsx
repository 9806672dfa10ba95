import { Text } from '@mantine/core';
import { useLiveEntry } from '../../live/use-live-document.ts';
import { productWith } from '../../shop/products/product.api.ts';

const REASONS: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^\/dashboard\/myorders/i, 'Sign in to see your orders'],
  [/^\/dashboard\/payment/i, 'Sign in to pay for your order'],
  [/^\/dashboard\/addreview/i, 'Sign in to write a review'],
  [/^\/dashboard\/profile/i, 'Sign in to see your profile'],
];

/** Says why the visitor has to sign in, depending on which guarded page the visitor wanted to open (I7). */
export function ReasonToSignIn({ to }: { to: string }) {
  const [, bought] = /^\/buypage\/([^/?#]+)/i.exec(to) ?? [];
  if (bought !== undefined) return <ToBuy id={bought} />;
  const [, reason] = REASONS.find(([path]) => path.test(to)) ?? [];
  return reason === undefined ? null : <Text>{reason}</Text>;
}

function ToBuy({ id }: { id: string }) {
  const { data: product } = useLiveEntry(productWith(id));
  return <Text>Sign in to buy {product?.name ?? 'this item'}</Text>;
}
