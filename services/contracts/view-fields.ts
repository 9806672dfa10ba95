import * as z from 'zod/mini';

export const isoTime = z.iso.datetime();
export const nullableTime = z.nullable(isoTime);
export const wholeNumber = z.number().check(z.int());
export const version = wholeNumber.check(z.positive());
