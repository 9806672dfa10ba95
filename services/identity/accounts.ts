/** What the routes and the gateway may know about a person with an open account. */
export interface Account {
  /** the account's uid at the identity provider */
  readonly uid: string;
  /** '' if the identity provider reported no name */
  readonly name: string;
  readonly admin: boolean;
}

/** The accounts of the shop's users, read from each account's own stream (AUTH2). */
export interface Accounts {
  /** Returns the user id of an e-mail address's current account, even if nobody has registered it yet (LOG3). */
  idOf(email: string): Promise<string>;
  /** Returns null if there is no such account, or if it is closed. */
  find(userId: string): Promise<Account | null>;
  /** Returns whether the account was closed in order to erase its owner's data (ERASE1). */
  isClosedForErasure(userId: string): Promise<boolean>;
}
