import { z } from 'zod';

/** an amount of money, in poisha */
export const poisha = z.number().int().positive();
export const count = z.number().int().positive();
export const text = z.string();
