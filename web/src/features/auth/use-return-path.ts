import { useLocation } from 'react-router-dom';
import { z } from 'zod';

/** A path on this origin: `//host` would lead to another. */
const stateSchema = z.object({ from: z.string().regex(/^\/(?!\/)/) });

/** Where to go after signing in: the guarded page that sent the visitor here, or the home page (R21). */
export function useReturnPath(): string {
  const state = stateSchema.safeParse(useLocation().state);
  return state.success ? state.data.from : '/';
}
