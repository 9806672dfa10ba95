/**
 * Creates a DOM element without React. Demo mode's replacements for Stripe's elements don't use React, just as Stripe's
 * own elements don't.
 */
export function makeElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string | undefined,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: Node[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties, { className });
  element.append(...children);
  return element;
}
