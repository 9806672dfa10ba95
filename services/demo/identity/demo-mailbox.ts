import { Router } from 'express';
import { z } from 'zod';
import { emailSchema } from '../../contracts/http.ts';
import { type Clock, isoTime } from '../../runtime/clock.ts';
import { sendProblem } from '../../runtime/problem-response.ts';
import { callAsOwner, type EmulatorAddress } from './emulator-calls.ts';

/** `at` is when the mail was first seen, in ISO 8601. */
export interface DemoMail {
  email: string;
  kind: 'verification' | 'reset' | 'order';
  /** on the shop's own origin; that of another kind than 'order' is good until used or asked for again */
  link: string;
  at: string;
  /** of a mail about an order */
  subject?: string;
  text?: string;
}

export interface DemoMailbox {
  /** The newest unused mail of each kind, newest first. */
  newest(email?: string): Promise<DemoMail[]>;
  /** Prints each mail once. Never rejects: it prints that mails cannot be read. */
  announce(): Promise<void>;
}

type IdentityMail = DemoMail & { kind: 'verification' | 'reset' };

const KINDS: Record<string, IdentityMail['kind']> = { VERIFY_EMAIL: 'verification', PASSWORD_RESET: 'reset' };
const WORDS: Record<IdentityMail['kind'], string> = { verification: 'verify the e-mail', reset: 'reset the password' };

/** In the order of sending; a used code is not listed any more. */
const oobCodesSchema = z.object({ oobCodes: z.array(z.unknown()).default([]) });
/** The emulator takes addresses that the shop does not, so each mail is parsed by itself. */
const oobCodeSchema = z.object({ email: emailSchema, requestType: z.string(), oobCode: z.string(), oobLink: z.url() });

type SentMail = IdentityMail & { oobCode: string };

/** The emulator sends no mails. `origin` is the shop's, e.g. `http://127.0.0.1:8080`. */
export function createDemoMailbox(options: {
  emulator: EmulatorAddress;
  origin: () => string;
  clock: Clock;
  print: (line: string) => void;
}): DemoMailbox {
  const seen = new Map<string, string>();
  const printed = new Set<string>();

  let reading: Promise<unknown> = Promise.resolve();

  /** One read at a time: a late, older list would make newer mails look used. */
  function sent(): Promise<SentMail[]> {
    const mails = reading.then(read, read);
    reading = mails;
    return mails;
  }

  async function read(): Promise<SentMail[]> {
    const answer = await callAsOwner(options.emulator, 'GET', '/emulator/v1/projects/{project}/oobCodes');
    const mails: SentMail[] = [];
    for (const code of oobCodesSchema.parse(answer).oobCodes) {
      const parsed = oobCodeSchema.safeParse(code);
      if (!parsed.success) continue;
      const { email, requestType, oobCode, oobLink } = parsed.data;
      const kind = KINDS[requestType];
      if (!kind) continue;
      const at = seen.get(oobCode) ?? isoTime(options.clock());
      seen.set(oobCode, at);
      const { pathname, search } = new URL(oobLink);
      mails.push({ email, kind, link: new URL(pathname + search, options.origin()).href, at, oobCode });
    }
    forgetUsed(mails);
    return mails;
  }

  function forgetUsed(mails: SentMail[]): void {
    const live = new Set(mails.map((mail) => mail.oobCode));
    for (const code of seen.keys()) if (!live.has(code)) seen.delete(code);
    for (const code of printed) if (!live.has(code)) printed.delete(code);
  }

  return {
    async newest(email) {
      const newest = new Map<string, DemoMail>();
      for (const { oobCode: _, ...mail } of (await sent()).reverse()) {
        const key = `${mail.kind} ${mail.email}`;
        if ((email === undefined || mail.email === email) && !newest.has(key)) newest.set(key, mail);
      }
      return [...newest.values()];
    },
    async announce() {
      try {
        for (const mail of await sent()) {
          if (printed.has(mail.oobCode)) continue;
          printed.add(mail.oobCode);
          options.print(`mail to ${mail.email}, to ${WORDS[mail.kind]}: ${mail.link}`);
        }
      } catch (error) {
        options.print(`the demo mails could not be read: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
  };
}

const mailboxQuerySchema = z.object({ email: emailSchema.optional() });

/** `GET /demo-mailbox?email=`: the newest mails as JSON. */
export function createDemoMailboxRouter(
  mailbox: DemoMailbox,
  readOrderMails: (email?: string) => Promise<DemoMail[]>,
): Router {
  const router = Router();
  router.get('/demo-mailbox', async (request, response) => {
    const query = mailboxQuerySchema.safeParse(request.query);
    if (!query.success) {
      sendProblem(response, 'invalid_request', { detail: 'email must be an email address.' });
      return;
    }
    const { email } = query.data;
    const orderMails = await readOrderMails(email);
    try {
      const mails = [...(await mailbox.newest(email)), ...orderMails];
      response.set('Cache-Control', 'no-store').json(mails.sort((one, other) => other.at.localeCompare(one.at)));
    } catch {
      sendProblem(response, 'identity_unavailable', { detail: 'The identity emulator does not answer.' });
    }
  });
  return router;
}
