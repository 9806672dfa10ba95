import express, { type NextFunction, type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { callAccounts } from './emulator-calls.ts';

const oobCodeSchema = z.string().regex(/^[A-Za-z0-9_-]{10,200}$/);

const actionSchema = z.object({ mode: z.enum(['verifyEmail', 'resetPassword']), oobCode: oobCodeSchema });
const newPasswordSchema = z.object({ newPassword: z.string().max(200) });

/** A 4xx error from the form parser, which means that the client sent a bad form. */
const refusedFormSchema = z.object({ status: z.number().int().min(400).max(499) });
const FORM_ADVICE = 'A password can have at most 200 characters. Please open the link in the mail again.';

const EXPIRED = 'This link has expired or has already been used. Please request a new one.';

/**
 * Serves the pages that the links in demo e-mails open: one verifies an e-mail address, the other sets a new password.
 * The emulator's own pages can't be used, because they return JSON, take the password in the URL, and redirect to any
 * URL.
 */
export function createActionPages(emulatorHost: string): Router {
  const router = Router();
  router.use((_request, response, next) => {
    response.set({
      'Cache-Control': 'no-store',
      // Keeps the code in the URL from leaking to other sites. With 'no-referrer', browsers would send the form with
      // `Origin: null`, which is refused.
      'Referrer-Policy': 'strict-origin',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    });
    next();
  });
  router.get('/emulator/action', async (request, response) => {
    const action = actionSchema.safeParse(request.query);
    if (!action.success)
      sendPage(response, 400, 'This link is not complete', 'Please open the whole link in the mail.');
    else if (action.data.mode === 'verifyEmail') await verifyEmail(emulatorHost, action.data.oobCode, response);
    else await askNewPassword(emulatorHost, action.data.oobCode, response);
  });
  router.post(
    '/emulator/action',
    express.urlencoded({ extended: false, limit: '4kb' }),
    async (request: Request, response: Response) => {
      const action = actionSchema.safeParse(request.query);
      const body = newPasswordSchema.safeParse(request.body);
      if (!action.success || action.data.mode !== 'resetPassword' || !body.success) {
        sendPage(response, 400, 'This form is not complete', 'Please open the link in the mail again.');
        return;
      }
      await resetPassword(emulatorHost, action.data.oobCode, body.data.newPassword, response);
    },
  );
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    const refused = refusedFormSchema.safeParse(error);
    if (response.headersSent) next(error);
    else if (refused.success) sendPage(response, refused.data.status, 'This form cannot be read', FORM_ADVICE);
    else sendPage(response, 503, 'Sign-in is not available', 'Please open the link again in a moment.');
  });
  return router;
}

async function verifyEmail(host: string, oobCode: string, response: Response): Promise<void> {
  const isVerified = await callAccounts(host, 'update', { oobCode });
  if (!isVerified) sendPage(response, 400, 'Your email was not verified', EXPIRED);
  else sendPage(response, 200, 'Your email is verified', 'Thank you. You can close this page.');
}

async function askNewPassword(host: string, oobCode: string, response: Response): Promise<void> {
  const isGood = await callAccounts(host, 'resetPassword', { oobCode });
  if (!isGood) sendPage(response, 400, 'Your password was not changed', EXPIRED);
  else sendPage(response, 200, 'Choose a new password', '', passwordForm(oobCode));
}

async function resetPassword(host: string, oobCode: string, newPassword: string, response: Response): Promise<void> {
  // Without `newPassword`, the emulator only checks that the code is valid.
  const weak = newPassword.length < 6;
  const isGood = await callAccounts(host, 'resetPassword', weak ? { oobCode } : { oobCode, newPassword });
  if (!isGood) sendPage(response, 400, 'Your password was not changed', EXPIRED);
  else if (weak) {
    sendPage(response, 422, 'Choose a new password', 'A password needs at least 6 characters.', passwordForm(oobCode));
  } else sendPage(response, 200, 'Your password is changed', 'You can sign in with it now.');
}

/** Returns the form as HTML. The code needs no escaping, because its schema allows only letters, digits, `_` and `-`. */
function passwordForm(oobCode: string): string {
  return `<form method="post" action="/emulator/action?mode=resetPassword&amp;oobCode=${oobCode}">
<label for="newPassword">New password</label>
<input id="newPassword" name="newPassword" type="password" autocomplete="new-password" minlength="6" maxlength="200" required autofocus>
<button>Save new password</button>
</form>`;
}

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:15vh auto;padding:0 1rem}
h1{font-size:1.5rem}label{display:block;margin-bottom:.25rem}input,button{font:inherit;padding:.5rem .75rem;box-sizing:border-box;width:100%;margin-bottom:1rem}`;

function sendPage(response: Response, status: number, title: string, text: string, form = ''): void {
  response
    .status(status)
    .type('html')
    .send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} - Micro Center</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><p>${text}</p>${form}<p><a href="/login">Go to the shop</a></p></main></body>
</html>`);
}
