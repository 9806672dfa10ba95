import { existsSync } from 'node:fs';
import type { KeyVault } from '../../engine/log/key-vault.ts';
import type { Logger } from '../../runtime/log.ts';
import { knownBackups, writeErasedBeside } from './backup-files.ts';

const PAGE = 1_000;

/** Everybody whose key was erased. */
export async function erasedPersons(vault: KeyVault): Promise<string[]> {
  const erased: string[] = [];
  for (let page = await vault.list(null, PAGE); page.length > 0; ) {
    erased.push(...page.filter(({ key }) => key === null).map(({ person }) => person));
    page = await vault.list(page.at(-1)?.person ?? null, PAGE);
  }
  return erased;
}

/** A vault that writes who was erased beside each backup that can be reached, so that none of them brings anybody back (BACKUP1). */
export function noteErasures(
  vault: KeyVault,
  { dataDir, logger }: { readonly dataDir: string; readonly logger: Pick<Logger, 'warn'> },
): KeyVault {
  return {
    ...vault,
    async erase(person) {
      await vault.erase(person);
      const persons = await erasedPersons(vault);
      for (const directory of knownBackups(dataDir).filter((one) => existsSync(one))) {
        try {
          writeErasedBeside(directory, persons);
        } catch (error) {
          logger.warn({ err: error, directory }, 'an erasure could not be written beside a backup');
        }
      }
    },
  };
}
