import { useLocation } from 'react-router-dom';
import * as z from 'zod/mini';

/** A path on this origin: `//host` would lead to another. */
const stateSchema = z.object({ from: z.string().check(z.regex(/^\/(?!\/)/)) });

/** Where to go after signing in: the guarded page that sent the visitor here, or the home page (R21). */
export function useReturnPath(): string {
  const state = stateSchema.safeParse(useLocation().state);
  return state.success ? state.data.from : '/';
}
