/** A mail as it leaves; `messageId` is the same each time that this mail is sent. */
export interface OutgoingMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
}

/** Resolves once the mail server has taken the mail. @throws MailRefused, or any other error where the server is away */
export type SendMail = (mail: OutgoingMail) => Promise<void>;

/** How mails leave; `atOnce` of them are on their way at a time, 4 unless it says otherwise. */
export interface MailTransport {
  readonly send: SendMail;
  readonly atOnce?: number;
}

/** The mail server answers, but does not take this mail: not now, or never. The message names nobody. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  /** as SMTP has it, e.g. 450 */
  readonly responseCode: number;
  /** true where another try would get the same answer */
  readonly forGood: boolean;

  constructor(responseCode: number, forGood: boolean) {
    super(`The mail server answered ${responseCode}.`);
    this.responseCode = responseCode;
    this.forGood = forGood;
  }
}

/** The longest that a mail server may take for one mail, in ms: a claim lasts longer, so that nobody else sends it meanwhile. */
export const LONGEST_SENDING_MS = 120_000;
