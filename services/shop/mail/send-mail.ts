/** An e-mail that is ready to be sent. If the e-mail is sent again, its `messageId` stays the same. */
export interface OutgoingMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
}

/** Resolves once the mail server has accepted the e-mail. @throws MailRefused, or any other error if the server is unavailable */
export type SendMail = (mail: OutgoingMail) => Promise<void>;

/** How e-mails are sent. `atOnce` is how many queued e-mails are sent concurrently, 4 by default. */
export interface MailTransport {
  readonly send: SendMail;
  readonly atOnce?: number;
}

/**
 * Thrown if the mail server is reachable but rejected the e-mail, temporarily or permanently. The error message
 * contains no personal data.
 */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  /** the SMTP response code, e.g. 450 */
  readonly responseCode: number;
  /** true if the server would reject a retry as well */
  readonly forGood: boolean;

  constructor(responseCode: number, forGood: boolean) {
    super(`The mail server responded with ${responseCode}.`);
    this.responseCode = responseCode;
    this.forGood = forGood;
  }
}

/**
 * The maximum time that sending one e-mail may take, in ms. A claim lasts longer, so no other process sends the same
 * e-mail in the meantime.
 */
export const LONGEST_SENDING_MS = 120_000;
