import { MailRefused, type MailTransport, type OutgoingMail } from '../../shop/mail/send-mail.ts';
import type { Dice } from './dice.ts';
import { throughNetwork } from './network.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { World } from './world.ts';

/** An e-mail with the time at which the server accepted it, in ms since the epoch. */
export type AcceptedMail = OutgoingMail & { readonly at: number };

/** One attempt to send an e-mail, with the times at which it began and ended. It never ends if its process dies. */
export interface MailAttempt {
  readonly process: string;
  readonly messageId: string;
  readonly from: number;
  readonly to: number;
  /** `lost` if the server didn't answer; null until the attempt ends */
  readonly outcome: 'sent' | 'refused' | 'lost' | null;
}

/** A simulated mail server. It rejects some e-mails, either temporarily or permanently. */
export interface SimulatedMail {
  /** the probabilities that an e-mail is rejected temporarily (`forNow`) or permanently (`forGood`) */
  readonly refusals: { forNow: number; forGood: number };
  /** the e-mails that the server accepted, oldest first */
  readonly accepted: readonly AcceptedMail[];
  /** each process's attempts to send an e-mail, oldest first */
  readonly attempts: readonly MailAttempt[];
  connect(process: SimulatedProcess, onCrash: () => void): MailTransport;
}

export function createSimulatedMail(world: World, dice: Dice): SimulatedMail {
  const refusals = { forNow: 0, forGood: 0 };
  const accepted: AcceptedMail[] = [];
  const attempts: MailAttempt[] = [];

  async function send(mail: OutgoingMail): Promise<void> {
    if (dice.chance(refusals.forNow)) throw new MailRefused(450, false);
    if (dice.chance(refusals.forGood)) throw new MailRefused(550, true);
    if (accepted.some(({ messageId }) => messageId === mail.messageId)) world.note('an e-mail was sent twice');
    accepted.push({ ...mail, at: world.time.now() });
    world.say(`mail accepted: ${mail.subject.replace(/MC-\d+/, 'MC')}`);
  }

  return {
    refusals,
    accepted,
    attempts,
    connect(process, onCrash) {
      const remote = throughNetwork(world.linkOf(process, 'mail', onCrash), { send });
      return {
        async send(mail) {
          const { messageId } = mail;
          const from = world.time.now();
          const attempt: MailAttempt = { process: process.name, messageId, from, to: Infinity, outcome: null };
          attempts.push(attempt);
          const end = (outcome: MailAttempt['outcome']) =>
            void Object.assign(attempt, { to: world.time.now(), outcome });
          try {
            await remote.send(mail);
            end('sent');
          } catch (error) {
            end(error instanceof MailRefused ? 'refused' : 'lost');
            throw error;
          }
        },
      };
    },
  };
}
