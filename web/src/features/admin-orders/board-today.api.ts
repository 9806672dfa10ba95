import { type BoardToday, boardTodaySchema } from '@micro-center/services/contracts/answers.ts';
import { shopApi } from '../../api/shop-api.ts';

const boardTodayApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** The shop's day so far. */
    getBoardToday: build.query<BoardToday, void>({
      query: () => '/board/today',
      responseSchema: boardTodaySchema,
      keepUnusedDataFor: 0,
    }),
  }),
});

export const { useGetBoardTodayQuery } = boardTodayApi;
