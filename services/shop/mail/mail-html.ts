import escapeHtml from 'escape-html';

/** The parts of an e-mail, as plain text. */
interface MailParts {
  readonly subject: string;
  readonly headline: string;
  readonly greeting: string;
  readonly sentence: string;
  readonly number: string;
  readonly goods: string;
  readonly total: string;
  /** the URL of the order's page */
  readonly link: string;
  readonly parcel?: { readonly words: string; readonly link: string };
}

/** Returns an e-mail as HTML: one column in the shop's light or dark colours, without tables, pictures or scripts. */
export function mailHtml(parts: MailParts): string {
  const { subject, headline, greeting, sentence, number, goods, total, link, parcel } = parts;
  const follow = parcel && `<p><a href="${escapeHtml(parcel.link)}">${escapeHtml(parcel.words)}</a></p>\n`;
  // Mail clients show the first words of the body as a preview, so the body starts with a hidden copy of the e-mail's
  // main sentence.
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${STYLE}</style>
</head>
<body>
<div class="preview">${escapeHtml(sentence)}</div>
<div class="mail">
<p class="shop">Micro Center</p>
<div class="card">
<h1>${escapeHtml(headline)}</h1>
<p>${escapeHtml(greeting)}</p>
<p>${escapeHtml(sentence)}</p>
${follow ?? ''}<div class="order">
<p class="label">Order ${escapeHtml(number)}</p>
<p>${escapeHtml(goods)}</p>
<p class="total">${escapeHtml(total)}</p>
</div>
<p class="action"><a class="button" href="${escapeHtml(link)}">See your order</a></p>
</div>
<p class="foot">You get this mail since you ordered at Micro Center.</p>
</div>
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; background: #efeff1; color: #1c1e23; font: 16px/1.5 -apple-system, "Segoe UI", Roboto, "Noto Sans Bengali", sans-serif; }
p { margin: 0 0 16px; overflow-wrap: anywhere; }
a { color: #2f4fdc; }
h1 { margin: 0 0 24px; font-size: 24px; line-height: 1.3; font-weight: 650; letter-spacing: -0.01em; }
.preview { display: none; max-height: 0; overflow: hidden; }
.mail { max-width: 560px; margin: 0 auto; padding: 32px 16px; }
.shop { margin: 0 8px 16px; font-weight: 650; }
.card { padding: 32px; border: 1px solid #e3e4e7; border-radius: 12px; background: #ffffff; }
.order { margin: 24px 0; padding: 16px; border-radius: 8px; background: #f7f7f8; }
.order p { margin: 0; }
.order .label { margin-bottom: 4px; color: #63676f; font-size: 14px; }
.order .total { margin-top: 12px; padding-top: 12px; border-top: 1px solid #e3e4e7; font-weight: 650; }
.action { margin: 0; }
.button { display: block; padding: 12px 24px; border-radius: 8px; background: #2f4fdc; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none; }
.foot { margin: 16px 8px 0; color: #63676f; font-size: 14px; }
@media (max-width: 480px) {
  .mail { padding: 16px 8px; }
  .card { padding: 24px 16px; }
}
@media (prefers-color-scheme: dark) {
  body { background: #101215; color: #e9eaec; }
  a { color: #9db1ff; }
  .card { border-color: #32353d; background: #16181c; }
  .order { background: #202329; }
  .order .label, .foot { color: #a1a5ad; }
  .order .total { border-color: #454952; }
  .button { background: #4a66ea; color: #ffffff; }
}
`;
