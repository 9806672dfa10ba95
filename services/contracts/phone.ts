import './form-locale.ts';
import * as z from 'zod/mini';
import { plainText } from './plain-text.ts';

/** Removes a leading plus, spaces and punctuation: '+880 1711-000000' becomes '8801711000000'. */
export const phoneSchema = z.string().check(
  z.trim(),
  z.overwrite((phone) => plainText(phone).replace(/^\+|[\s().\-/]/g, '')),
  z.regex(/^[0-9]{3,15}$/, 'A phone number has 3 to 15 digits.'),
);
