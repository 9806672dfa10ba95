/**
 * The interface between the simulation and the client's code in `web/simulation`. The client is compiled with the types
 * of a browser, so the simulation loads it at run time.
 */

/** Why a connection was closed. The names are those of socket.io. */
export type CloseReason = 'io server disconnect' | 'transport close' | 'ping timeout';

/** The browser's end of a connection to the shop. */
export interface ConnectionListener {
  /** called if the shop can't be reached */
  failed(): void;
  connected(): void;
  refused(reason: string): void;
  message(name: string, content: unknown): void;
  closed(reason: CloseReason): void;
}

export interface BrowserRequest {
  readonly path: string;
  readonly token: string | null;
  /** the ETag of the response that the browser already has */
  readonly etag: string | null;
}

export interface BrowserAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly etag: string | null;
  /** the value of the Link header */
  readonly link: string | null;
}

/** What a simulated browser runs on. Times are in ms. */
export interface BrowserHost {
  schedule(delay: number, callback: () => void): () => void;
  now(): number;
  /** Returns a number from 0 up to, but not including, 1. */
  random(): number;
  /** Sends a GET request. Returns null if no response arrives. */
  request(request: BrowserRequest): Promise<BrowserAnswer | null>;
  /** Opens a connection for pushes. Returns a function that closes it. */
  dial(auth: unknown, listener: ConnectionListener): () => void;
  note(situation: string): void;
  /** Records that a rule was broken, in one sentence. */
  fault(sentence: string): void;
}

/** A page of the client, by name, and the ids or the filter that it shows. */
export type BrowserPage =
  | { readonly name: 'orders'; readonly email: string }
  | { readonly name: 'order'; readonly id: string }
  | { readonly name: 'board'; readonly status?: 'paid' | 'unpaid' | 'shipped'; readonly q?: string }
  | { readonly name: 'chosen orders'; readonly ids: readonly string[] }
  | { readonly name: 'catalogue'; readonly inStock: boolean }
  | { readonly name: 'product'; readonly id: string; readonly item: string }
  | { readonly name: 'users' };

/** One resource on the screen: the path that it is fetched from, and what the page shows of it. */
export interface Shown {
  readonly path: string;
  /**
   * the views of a list or of documents, or the content of another response; undefined if nothing is known. If `isPart`
   * is true, the list has further rows that aren't loaded.
   */
  readonly content: unknown;
  readonly isPart: boolean;
  /** the status of the failed request whose error the page shows, or null if the page shows no error */
  readonly errorStatus: number | null;
}

export interface SimulatedBrowser {
  /** Uses this access token from now on. Null signs out. */
  useToken(token: string | null, email: string): void;
  /** Returns the token of the session, or null if nobody is signed in. */
  token(): string | null;
  open(page: BrowserPage): void;
  /** Fetches everything again that the page couldn't load at all, as the button 'Try again' does. */
  tryAgain(): void;
  setHidden(isHidden: boolean): void;
  /** Whether the page says that it receives live updates (LIVE4). */
  isLive(): boolean;
  shown(): Shown[];
}

export type OpenBrowser = (host: BrowserHost) => SimulatedBrowser;
