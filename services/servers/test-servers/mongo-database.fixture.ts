import { randomBytes } from 'node:crypto';
import { type MongoDatabases, openMongo } from '../mongo/mongo.ts';

/**
 * Returns the connection string of a database that no other test uses. All database names have the same length, so none
 * is a prefix of another.
 */
export function freshMongoUri(mongoUrl: string): string {
  return `${mongoUrl}/test_${randomBytes(8).toString('hex')}`;
}

/** Connects to a database that no other test uses. */
export function openFreshMongo(mongoUrl: string): Promise<MongoDatabases> {
  return openMongo(freshMongoUri(mongoUrl));
}
