import { DASHBOARD } from './payment-list.ts';

/** The values are those of docs/style.md and web/src/app/theme.ts, which this page can't load. */
const STYLE = `
:root { color-scheme: light dark; --page: light-dark(#fff, #16181c); --text: light-dark(#1c1e23, #c6c9cf);
  --quiet: light-dark(#63676f, #a1a5ad); --line: light-dark(#d3d5d9, #454952); --accent: light-dark(#2f4fdc, #9db1ff);
  --green: light-dark(#137a41, #a5e1bb); --green-back: light-dark(#eaf8ef, #083b1f);
  --red: light-dark(#a81f15, #ff9d95); --red-back: light-dark(#fff1f0, #67130e);
  --amber: light-dark(#774b00, #fae7c2); --amber-back: light-dark(#fdf5e4, #462c00);
  --grey-back: light-dark(#efeff1, #32353d); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 75rem; padding: 32px 16px; background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', 'Noto Sans Bengali',
  'Nirmala UI', 'Kohinoor Bangla', 'Bangla Sangam MN', sans-serif;
  font-variant-numeric: tabular-nums; }
h1 { margin: 0 0 8px; font-size: 1.375rem; line-height: 1.3; }
h2 { margin: 0; font-size: 1rem; font-weight: 600; }
p { margin: 0; overflow-wrap: anywhere; }
a { color: var(--accent); }
.quiet, dt { color: var(--quiet); font-size: 0.875rem; }
.id { flex-basis: 100%; font-size: 0.75rem; }
.balance { display: flex; flex-wrap: wrap; gap: 16px 32px; margin: 24px 0; }
dd { margin: 0; font-weight: 600; }
article { padding: 16px 0; border-top: 1px solid var(--line); display: grid; gap: 8px; }
header, .line { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: baseline; }
section { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; padding-left: 16px; border-left: 1px solid var(--line); }
.what { min-width: 56px; }
strong { font-weight: 600; }
.chip { padding: 0 8px; border-radius: 4px; background: var(--grey-back); font-size: 0.75rem; line-height: 1.25rem; }
.done { background: var(--green-back); color: var(--green); }
.failed { background: var(--red-back); color: var(--red); }
.warning { background: var(--amber-back); color: var(--amber); }
.forms, .decisions { display: flex; flex-wrap: wrap; gap: 8px; align-items: start; }
details { border: 1px solid var(--line); border-radius: 6px; }
summary { padding: 4px 12px; min-height: 36px; line-height: 28px; cursor: pointer; font-weight: 600; }
details form { display: flex; flex-wrap: wrap; gap: 16px; align-items: end; padding: 4px 12px 12px; }
label { display: grid; gap: 4px; font-size: 0.875rem; }
.check { grid-auto-flow: column; justify-content: start; align-items: center; gap: 8px; min-height: 36px; }
input, select, button { font: inherit; color: inherit; min-height: 36px; padding: 0 12px; border: 1px solid var(--line);
  border-radius: 6px; background: none; }
select { background: var(--page); }
input[type="checkbox"] { min-height: 0; width: 16px; height: 16px; padding: 0; accent-color: var(--accent); }
button { border-color: var(--accent); color: var(--accent); font-weight: 600; cursor: pointer; }
button.danger { border-color: var(--red); color: var(--red); }
button:disabled { opacity: 0.5; cursor: default; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
#message { min-height: 1.55rem; margin-top: 16px; font-weight: 600; }
@media (width < 48em) { input, select, button, summary { min-height: 44px; } summary { line-height: 36px; } details[open], details form label { width: 100%; } }
`;

/** The page as everyone gets it. It contains no payments: its script loads them, with the admin's access token. */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>Payments - local Stripe - Micro Center</title>
<style>${STYLE}</style>
<script type="module" src="${DASHBOARD}/script.js"></script>
</head>
<body>
<main>
<h1>Payments in the local Stripe</h1>
<p>Refund payments, dispute them, and decide what the banks do. No real money moves. <a href="/">Back to the shop</a></p>
<p id="message" role="status"></p>
<div id="payments"><p class="quiet">Loading payments …</p></div>
<noscript><p>This page needs JavaScript.</p></noscript>
<template id="refused"><p>Only the shop's admins can see payments. <a href="/login">Sign in as an admin</a> in this browser, then reload this page.</p></template>
</main>
</body>
</html>
`;

/**
 * Shows the payments and sends the forms. It uses the access token that the shop keeps in this browser
 * (web/src/session/session-keeper.ts). A form that another website sends has no token, so it's refused.
 */
export const SCRIPT = `
const payments = document.getElementById('payments');
const message = document.getElementById('message');
const headers = () => ({ authorization: 'Bearer ' + (localStorage.getItem('accessToken') ?? '') });

async function show() {
  const answer = await fetch('${DASHBOARD}/payments' + location.search, { headers: headers() });
  if (answer.ok) payments.innerHTML = await answer.text();
  else if (answer.status === 401 || answer.status === 403)
    payments.replaceChildren(document.getElementById('refused').content.cloneNode(true));
  else throw new Error('The payments could not be loaded. Reload this page in a moment.');
}

async function send(form, submitter) {
  const body = new URLSearchParams(new FormData(form, submitter));
  for (const button of form.querySelectorAll('button')) button.disabled = true;
  const answer = await fetch(form.action, { method: 'POST', headers: headers(), body });
  const { message: told, title } = await answer.json();
  await show();
  message.textContent = told ?? title;
}

function attempt(work) {
  message.textContent = '';
  work.catch((error) => {
    message.textContent = error instanceof TypeError ? 'The shop is not reachable. Reload this page in a moment.' : error.message;
  });
}

document.addEventListener('submit', (event) => {
  event.preventDefault();
  attempt(send(event.target, event.submitter));
});
// The payment that the URL names is in the page only now.
attempt(show().then(() => location.hash && location.replace(location.hash)));
`;
