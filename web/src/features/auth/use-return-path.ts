import { useLocation } from 'react-router-dom';
import * as z from 'zod/mini';

/** Accepts only a path on this origin. `//host` would lead to another origin. */
const stateSchema = z.object({ from: z.string().check(z.regex(/^\/(?!\/)/)) });

/** Returns the path to open after sign-in: the guarded page that sent the visitor here, or the home page (R21). */
export function useReturnPath(): string {
  const state = stateSchema.safeParse(useLocation().state);
  return state.success ? state.data.from : '/';
}
