import { MailRefused, type MailTransport, type OutgoingMail } from '../../flows/mail/send-mail.ts';
import type { Dice } from './dice.ts';
import { throughNetwork } from './network.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { World } from './world.ts';

/** A simulated mail server. It rejects some e-mails, either temporarily or permanently. */
export interface SimulatedMail {
  /** the probabilities that an e-mail is rejected temporarily (`forNow`) or permanently (`forGood`) */
  readonly refusals: { forNow: number; forGood: number };
  /** the e-mails that the server accepted, oldest first */
  readonly accepted: readonly OutgoingMail[];
  connect(process: SimulatedProcess, onCrash: () => void): MailTransport;
}

export function createSimulatedMail(world: World, dice: Dice): SimulatedMail {
  const refusals = { forNow: 0, forGood: 0 };
  const accepted: OutgoingMail[] = [];

  async function send(mail: OutgoingMail): Promise<void> {
    if (dice.chance(refusals.forNow)) throw new MailRefused(450, false);
    if (dice.chance(refusals.forGood)) throw new MailRefused(550, true);
    if (accepted.some(({ messageId }) => messageId === mail.messageId)) world.note('an e-mail was sent twice');
    accepted.push(mail);
    world.say(`mail accepted: ${mail.subject.replace(/MC-\d+/, 'MC')}`);
  }

  return {
    refusals,
    accepted,
    connect: (process, onCrash) => throughNetwork(world.linkOf(process, 'mail', onCrash), { send }),
  };
}
