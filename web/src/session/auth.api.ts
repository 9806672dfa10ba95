import {
  adminAnswerSchema,
  type UserSaved,
  userSavedSchema,
} from '@micro-center/services/contracts/people/user-answers.ts';
import { shopApi } from '../api/shop-api.ts';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/**
 * The requests for signing in. `openSession` and `checkAdmin` set their own bearer token, because the session starts
 * only after both requests have succeeded.
 */
export const authApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** Exchanges the provider's ID token for the API's access token. */
    openSession: build.mutation<UserSaved, { email: string; idToken: string }>({
      query: ({ email, idToken }) => ({
        path: `/users/${encodeURIComponent(email)}`,
        method: 'PUT',
        body: { email },
        headers: bearer(idToken),
      }),
      responseSchema: userSavedSchema,
    }),
    /** Whether this user is an admin. The response isn't cached, because roles can change. */
    checkAdmin: build.mutation<{ admin: boolean }, { email: string; token: string }>({
      query: ({ email, token }) => ({ path: `/admin/${encodeURIComponent(email)}`, headers: bearer(token) }),
      responseSchema: adminAnswerSchema,
    }),
  }),
});
