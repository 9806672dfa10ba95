import { z } from 'zod';
import { deletedSchema, updatedSchema } from '../../contracts/answers.ts';
import { adminAnswerSchema, type UserSaved, userSavedSchema } from '../../contracts/people/user-answers.ts';
import type { UserDocument } from '../../contracts/people/user-document.ts';
import { userQuerySchema, userSaveSchema } from '../../contracts/people/user-requests.ts';
import { userViewSchema } from '../../contracts/people/user-view.ts';
import { emailSchema } from '../../contracts/request-fields.ts';
import { currentDocument } from '../../engine/projector/current-document.ts';
import { deleted, nextPage, updated, updateOf } from '../../http/answers.ts';
import type { ApiDependencies } from '../../http/dependencies.ts';
import { RequestRefused } from '../../http/problem-details.ts';
import { commandMeta, defineRoute, type Found, type Route } from '../../http/route.ts';
import { closeAccount, grantAdmin, revokeAdmin } from './admin-roles-flow.ts';
import { saveProfile, signIn } from './sign-in-flow.ts';
import { userList } from './user-documents.ts';
import { userView } from './user-view.ts';

const emailPath = z.object({ email: emailSchema });

/**
 * Finds the user identified by `/:email`. Returns a user id even if the user doesn't exist, so that non-admins get the same
 * refusal either way and can't find out which e-mail addresses are registered.
 */
export const userTarget = {
  in: 'path',
  params: emailPath,
  async find(shop: ApiDependencies, { email }: z.infer<typeof emailPath>): Promise<Found<UserDocument>> {
    const userId = await shop.accounts.idOf(email);
    return { userId, document: await currentDocument(shop, 'user', userId) };
  },
} as const;

const saveUser = defineRoute({
  method: 'PUT',
  path: '/users/:email',
  summary:
    "With an ID token, registers or signs in its holder and returns an access token. With an access token, saves the caller's profile",
  access: 'id-token-or-user',
  params: emailPath,
  body: userSaveSchema,
  answer: { status: 200, schema: userSavedSchema },
  problems: ['forbidden', 'other_account', 'identity_unavailable', 'changes_too_fast'],
  async serve(shop, exchange) {
    const { session, params, body } = exchange;
    const { email: inBody, ...fields } = body;
    const email = session.by === 'id-token' ? session.person.email : session.caller.email;
    if (params.email !== email || (inBody !== undefined && inBody !== email)) throw new RequestRefused('forbidden');
    const saved =
      session.by === 'id-token'
        ? await signIn(shop, session.person, fields, exchange)
        : { token: session.caller.token, ...(await saveProfile(shop, session.caller.userId, fields, exchange)) };
    const answer: UserSaved = { ...updateOf(saved), token: saved.token };
    return { body: answer };
  },
});

const listUsers = defineRoute({
  method: 'GET',
  path: '/users',
  summary: 'Lists all users, or those that match a search',
  access: 'admin',
  query: userQuerySchema,
  answer: { status: 200, schema: z.array(userViewSchema) },
  problems: ['overloaded'],
  async serve(shop, { query, url }) {
    await shop.readYourWrites.caughtUp('user');
    const page = await shop.readModels.page(userList(query), query);
    return { body: page.items.map(userView), headers: nextPage(page, url) };
  },
});

const getUser = defineRoute({
  method: 'GET',
  path: '/users/:email',
  summary: 'Returns the profile of one user as an array with one element',
  access: 'owner-or-admin',
  target: userTarget,
  answer: { status: 200, schema: z.array(userViewSchema) },
  serve: async (_shop, { document }) => ({ body: [userView(document)] }),
});

const getAdmin = defineRoute({
  method: 'GET',
  path: '/admin/:email',
  summary: 'Returns whether a user is an admin',
  access: 'owner-or-admin',
  target: userTarget,
  answer: { status: 200, schema: adminAnswerSchema },
  async serve(_shop, { session, document }) {
    // For the caller's own account, use the session's role. An admin whose e-mail address isn't verified has only a
    // customer's session (AUTH5).
    const role = session.userId === document.id ? session.role : document.role;
    return { body: { admin: role === 'admin' } };
  },
});

const putAdmin = defineRoute({
  method: 'PUT',
  path: '/users/admin/:email',
  summary: 'Makes a user an admin',
  access: 'admin',
  target: userTarget,
  answer: { status: 200, schema: updatedSchema },
  async serve(shop, exchange) {
    return updated(await grantAdmin(shop, exchange.document.id, commandMeta(shop, exchange, 'grant-admin')));
  },
});

const deleteAdmin = defineRoute({
  method: 'DELETE',
  path: '/users/admin/:email',
  summary: 'Revokes the admin role of a user. Refused for the last admin',
  access: 'admin',
  target: userTarget,
  answer: { status: 200, schema: deletedSchema },
  problems: ['last_admin'],
  async serve(shop, exchange) {
    return deleted(await revokeAdmin(shop, exchange.document.id, commandMeta(shop, exchange, 'revoke-admin')));
  },
});

const releaseEmail = defineRoute({
  method: 'POST',
  path: '/users/:email/release',
  summary:
    'Closes the account of a user. The next sign-in with its e-mail registers a new account. Refused for the last admin',
  access: 'admin',
  target: userTarget,
  answer: { status: 200, schema: updatedSchema },
  problems: ['last_admin'],
  async serve(shop, exchange) {
    const meta = commandMeta(shop, exchange, 'release');
    return updated(await closeAccount(shop, exchange.document.id, { reason: 'released' }, meta));
  },
});

export const userRoutes: readonly Route[] = [
  saveUser,
  listUsers,
  getUser,
  getAdmin,
  putAdmin,
  deleteAdmin,
  releaseEmail,
];
