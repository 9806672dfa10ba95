import {
  type Deleted,
  deletedSchema,
  type UserSaved,
  userSavedSchema,
} from '@micro-center/services/contracts/answers.ts';
import type { UserSave } from '@micro-center/services/contracts/http.ts';
import { type UserView, userViewSchema } from '@micro-center/services/contracts/views.ts';
import * as z from 'zod/mini';
import { shopApi } from '../../api/shop-api.ts';
import { liveAnswer } from '../../live/follow-pushes.ts';
import { refetch } from '../../live/refetch.ts';

const profilePath = (email: string) => `/users/${encodeURIComponent(email)}`;
const profileTag = (email: string) => `profile/${email}`;

const profileApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** The profile of the person with this email: the first element of the answer. */
    getProfile: build.query<UserView, string>({
      ...liveAnswer<string>('user', {
        tag: profileTag,
        concerns: ({ view }, email) => view !== null && 'email' in view && view.email === email,
      }),
      query: profilePath,
      rawResponseSchema: z.array(userViewSchema).check(z.minLength(1)),
      transformResponse: ([first]: UserView[]) => first as UserView,
    }),
    /** Everything kept about the person. A mutation, so that none of it is cached. */
    exportPerson: build.mutation<unknown, string>({
      query: (email) => ({ path: `${profilePath(email)}/export` }),
      responseSchema: z.looseObject({ exportedAt: z.string() }),
    }),
    erasePerson: build.mutation<Deleted, string>({
      query: (email) => ({ path: profilePath(email), method: 'DELETE' }),
      responseSchema: deletedSchema,
    }),
    saveProfile: build.mutation<UserSaved, UserSave & { email: string }>({
      query: (profile) => ({ path: profilePath(profile.email), method: 'PUT', body: profile }),
      responseSchema: userSavedSchema,
      async onQueryStarted({ email }, { dispatch, queryFulfilled }) {
        await queryFulfilled.then(
          () => refetch(dispatch, [profileTag(email)]),
          () => undefined,
        );
      },
    }),
  }),
});

export const { useGetProfileQuery, useSaveProfileMutation, useExportPersonMutation, useErasePersonMutation } =
  profileApi;
