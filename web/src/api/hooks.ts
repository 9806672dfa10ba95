import type { ThunkDispatch } from '@reduxjs/toolkit';
import { useDispatch } from 'react-redux';
import type { UnknownAction } from 'redux';
import type { shopApi } from './shop-api.ts';

/** The part of the store that every room may rely on. */
interface ApiState {
  readonly shopApi: ReturnType<typeof shopApi.reducer>;
}

/** Dispatches actions and thunks of the API. */
export const useAppDispatch = useDispatch.withTypes<ThunkDispatch<ApiState, unknown, UnknownAction>>();
