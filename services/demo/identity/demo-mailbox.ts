import { Router } from 'express';
import pLimit from 'p-limit';
import { z } from 'zod';
import { emailSchema } from '../../contracts/request-fields.ts';
import { type Clock, isoTime } from '../../runtime/clock.ts';
import { sendProblem } from '../../runtime/problem-response.ts';
import { callAsOwner, type EmulatorAddress } from './emulator-calls.ts';

/** `at` is the ISO 8601 time at which an order e-mail was sent, or at which the mailbox first saw any other e-mail. */
export interface DemoMail {
  email: string;
  kind: 'verification' | 'reset' | 'order';
  /** a URL on the shop's own origin; a verification or reset link works only once */
  link: string;
  at: string;
  /** only e-mails about orders have a subject and a body */
  subject?: string;
  text?: string;
}

export interface DemoMailbox {
  /**
   * For each address, or only for `email` if it's given, returns the newest e-mail of each kind, ignoring e-mails whose
   * links have been used. The result is sorted from newest to oldest. Also prints any new e-mails.
   */
  newest(email?: string): Promise<DemoMail[]>;
  /** Prints any new e-mails. Never rejects. If the e-mails cannot be read, prints the error. */
  announce(): Promise<void>;
}

const KINDS: Record<string, { kind: 'verification' | 'reset'; purpose: string }> = {
  VERIFY_EMAIL: { kind: 'verification', purpose: 'verify the e-mail' },
  PASSWORD_RESET: { kind: 'reset', purpose: 'reset the password' },
};

/**
 * The emulator's list of the codes in e-mailed links, in the order in which the e-mails were sent. The list no longer
 * contains codes that have been used.
 */
const oobCodesSchema = z.object({ oobCodes: z.array(z.unknown()).default([]) });
/**
 * Each code is parsed separately, because the emulator accepts e-mail addresses that the shop rejects. One rejected
 * address must not make the whole list invalid.
 */
const oobCodeSchema = z.object({ email: emailSchema, requestType: z.string(), oobCode: z.string(), oobLink: z.url() });

/**
 * Creates a mailbox for the e-mails that the emulator only pretends to send. `origin` returns the shop's origin, such as
 * `http://127.0.0.1:8080`.
 */
export function createDemoMailbox(options: {
  emulator: EmulatorAddress;
  origin: () => string;
  clock: Clock;
  print: (line: string) => void;
}): DemoMailbox {
  /** the e-mails whose links haven't been used yet, keyed by code */
  let sent = new Map<string, DemoMail>();
  /**
   * Only one read runs at a time. If reads overlapped, an outdated list could replace a newer one. E-mails missing from
   * the outdated list would then be printed a second time.
   */
  const oneAtATime = pLimit(1);

  async function read(): Promise<DemoMail[]> {
    const answer = await callAsOwner(options.emulator, 'GET', '/emulator/v1/projects/{project}/oobCodes');
    const { oobCodes } = oobCodesSchema.parse(answer);
    const before = sent;
    sent = new Map();
    for (const code of oobCodes) {
      const { data } = oobCodeSchema.safeParse(code);
      const known = data && KINDS[data.requestType];
      if (known) sent.set(data.oobCode, before.get(data.oobCode) ?? newMail(data, known));
    }
    return [...sent.values()];
  }

  function newMail({ email, oobLink }: z.output<typeof oobCodeSchema>, { kind, purpose }: (typeof KINDS)[string]) {
    const { pathname, search } = new URL(oobLink);
    const link = new URL(pathname + search, options.origin()).href;
    options.print(`mail to ${email}, to ${purpose}: ${link}`);
    return { email, kind, link, at: isoTime(options.clock()) };
  }

  return {
    async newest(email) {
      const newest = new Map<string, DemoMail>();
      for (const mail of (await oneAtATime(read)).reverse()) {
        const key = `${mail.kind} ${mail.email}`;
        if ((email === undefined || mail.email === email) && !newest.has(key)) newest.set(key, mail);
      }
      return [...newest.values()];
    },
    async announce() {
      try {
        await oneAtATime(read);
      } catch (error) {
        options.print(`the demo mails could not be read: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
  };
}

const mailboxQuerySchema = z.object({ email: emailSchema.optional() });

/** Serves `GET /demo-mailbox?email=`: the newest verification and reset e-mails, and the e-mails about orders, as JSON. */
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
      sendProblem(response, 'identity_unavailable', { detail: 'The identity emulator is unavailable.' });
    }
  });
  return router;
}
