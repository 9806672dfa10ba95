import { en } from 'zod/locales';
import * as z from 'zod/mini';

/** Forms in the browser use Zod Mini, which has no error messages until a locale is configured. */
z.config(en());
