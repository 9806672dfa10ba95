import escapeHtml from 'escape-html';
import { PROBLEMS, type ProblemCode } from '../contracts/problems.ts';
import { openApiPath, problemsOf } from './openapi.ts';
import type { Access, Route } from './route.ts';

const WHO: Record<Access, string> = {
  public: 'everyone',
  'signed-in': 'any signed-in user',
  'owner-or-admin': 'the owner or an admin',
  admin: 'admins',
  'id-token-or-user': 'anyone with an ID token or an access token',
};

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid #8884}
code{font-size:.9em}.codes a{margin-right:.5em}`;

export function docsPage(routes: readonly Route[]): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>API - Micro Center</title><style>${STYLE}</style></head>
<body><main>
<h1>Micro Center API</h1>
<p>The schemas of all requests and responses are in <a href="/openapi.json">openapi.json</a>. The response to a refused
request is <code>application/problem+json</code>, and its <code>code</code> is one of <a href="#problems">the problems below</a>.</p>
<h2>Requests</h2>
<table>
<thead><tr><th scope="col">Request</th><th scope="col">What it does</th><th scope="col">Allowed for</th><th scope="col">Problems</th></tr></thead>
<tbody>
${routes.map(routeRow).join('\n')}
</tbody>
</table>
<h2 id="problems">Problems</h2>
<table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${Object.entries(PROBLEMS).map(problemRow).join('\n')}
</tbody>
</table>
</main></body>
</html>
`;
}

function routeRow(route: Route): string {
  const codes = problemsOf(route).map((code: ProblemCode) => `<a href="#${code}">${code}</a>`);
  const call = `<code>${route.method} ${escapeHtml(openApiPath(route.path))}</code>`;
  return `<tr><td>${call}</td><td>${escapeHtml(route.summary)}</td><td>${WHO[route.access]}</td><td class="codes">${codes.join('')}</td></tr>`;
}

function problemRow([code, { status, title }]: [string, { status: number; title: string }]): string {
  return `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${escapeHtml(title)}</td></tr>`;
}
