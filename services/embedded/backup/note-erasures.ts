import type { KeyVault } from '../../engine/log/key-vault.ts';
import type { Logger } from '../../runtime/log.ts';
import type { Every } from '../../runtime/schedule.ts';
import { erasedPersons } from '../../shop/people/finish-restore-flow.ts';
import { knownBackups, noteErasedBeside } from './backup-files.ts';
import { eraseIn, replacedData } from './replaced-data.ts';

const RETRY_MS = 60_000;

export interface NotedErasures<Vault extends KeyVault> {
  /**
   * The given vault, wrapped so that `erase` also records the erasure in all copies of the data directory. `erase`
   * succeeds even if some copies can't be reached.
   */
  readonly vault: Vault;
  /**
   * Records the erasures that an earlier run couldn't record, then retries unreachable copies every minute. Resolves
   * with a function that stops the retries.
   */
  keepNoting(every: Every): Promise<() => void>;
}

/**
 * Records erasures in every copy of the data directory, so that a restore never brings back an erased person's data
 * (BACKUP1). The copies are the backups that were taken from this directory or restored to it, and the key files that
 * restores have moved aside. If a copy can't be reached, for example because its disk isn't mounted, the erasures are
 * recorded there later.
 */
export function noteErasures<Vault extends KeyVault>(
  vault: Vault,
  { dataDir, logger }: { readonly dataDir: string; readonly logger: Pick<Logger, 'warn'> },
): NotedErasures<Vault> {
  const owed = new Set<string>();

  async function note(directories: readonly string[]): Promise<void> {
    if (directories.length === 0) return;
    const persons = await erasedPersons(vault);
    if (persons.length === 0) return;
    const replaced = new Set(replacedData(dataDir));
    const missed: { readonly directory: string; readonly reason: string }[] = [];
    for (const directory of directories) {
      try {
        if (replaced.has(directory)) await eraseIn(directory, persons);
        else noteErasedBeside(directory, persons);
        owed.delete(directory);
      } catch (error) {
        if (!owed.has(directory)) missed.push({ directory, reason: (error as Error).message });
        owed.add(directory);
      }
    }
    if (missed.length > 0)
      logger.warn(
        { missed },
        'could not record erasures in some copies of the data directory; will retry every minute',
      );
  }
  const noteEverywhere = () => note([...knownBackups(dataDir), ...replacedData(dataDir)]);

  return {
    vault: {
      ...vault,
      async erase(person) {
        await vault.erase(person);
        await noteEverywhere();
      },
    },
    async keepNoting(every) {
      await noteEverywhere();
      return every(RETRY_MS, () => {
        note([...owed]).catch((error: unknown) =>
          logger.warn({ err: error }, 'could not record the outstanding erasures; will retry in a minute'),
        );
      });
    },
  };
}
