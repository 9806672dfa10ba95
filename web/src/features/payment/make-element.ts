/** Creates a DOM element. Demo mode's replacements for Stripe's elements live outside React, as Stripe's own do. */
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
