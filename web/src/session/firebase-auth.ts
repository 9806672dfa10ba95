import type { ClientConfig } from '@micro-center/services/contracts/client-config.ts';
import { initializeApp } from 'firebase/app';
import {
  type Auth,
  browserLocalPersistence,
  browserPopupRedirectResolver,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  GoogleAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  onIdTokenChanged,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithCredential,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
  type User,
  updateProfile,
} from 'firebase/auth';
import type { Identity, IdentityUser, Registration } from './identity.ts';

function startAuth(config: ClientConfig['firebase'], restores: boolean): Auth {
  const options = config.mode === 'demo' ? { projectId: config.projectId, apiKey: config.apiKey } : config.config;
  const auth = initializeAuth(initializeApp(options), {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence],
    // Some browsers block a popup unless it opens directly in response to a click, so Firebase must already have loaded
    // its popup code. Passing `popupRedirectResolver` makes Firebase load that code in advance. If a session is
    // restored, no popup is needed, and loading the code would only slow down every page.
    ...(config.mode === 'demo' || restores ? {} : { popupRedirectResolver: browserPopupRedirectResolver }),
  });
  if (config.mode === 'demo') connectAuthEmulator(auth, window.location.origin, { disableWarnings: true });
  return auth;
}

function identityUser(user: User): IdentityUser {
  return { email: user.email ?? '', name: user.displayName ?? '', idToken: (fresh) => user.getIdToken(fresh) };
}

async function register(auth: Auth, { username, email, password }: Registration) {
  const { user } = await createUserWithEmailAndPassword(auth, email, password);
  let problem: unknown = null;
  try {
    await updateProfile(user, { displayName: username });
    // The first token was issued before the profile had a name, so request a token that includes the name.
    await user.getIdToken(true);
    await sendEmailVerification(user);
  } catch (error) {
    problem = error;
  }
  return { user: identityUser(user), problem };
}

/**
 * Signs in through Google's sign-in window, which loads a script from Google. A demo shop may have no network access,
 * so it doesn't open this window. Instead, it passes `demoAccount` to its own identity emulator, which accepts the
 * account as a credential.
 */
async function signInWithGoogle(auth: Auth, demoAccount?: { name: string; email: string }): Promise<IdentityUser> {
  if (demoAccount === undefined) {
    const { user } = await signInWithPopup(auth, new GoogleAuthProvider(), browserPopupRedirectResolver);
    return identityUser(user);
  }
  const { name, email } = demoAccount;
  const idToken = JSON.stringify({ sub: email.toLowerCase(), email, email_verified: true, name });
  const { user } = await signInWithCredential(auth, GoogleAuthProvider.credential(idToken));
  return identityUser(user);
}

/**
 * Returns Firebase as the shop's identity provider. Call this function only once. This module is loaded only for a
 * sign-in form or to restore a stored session. `restores` is true if there is a stored session.
 */
export function createFirebaseIdentity(config: ClientConfig['firebase'], restores: boolean): Identity {
  const auth = startAuth(config, restores);
  return {
    onUserChanged: (listener) => onIdTokenChanged(auth, (user) => listener(user === null ? null : identityUser(user))),
    signIn: async (email, password) => identityUser((await signInWithEmailAndPassword(auth, email, password)).user),
    register: (registration) => register(auth, registration),
    signInWithGoogle: (demoAccount) => signInWithGoogle(auth, demoAccount),
    sendPasswordReset: (email) => sendPasswordResetEmail(auth, email),
    signOut: () => signOut(auth),
  };
}
