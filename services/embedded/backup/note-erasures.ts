import { existsSync } from 'node:fs';
import type { KeyVault } from '../../engine/log/key-vault.ts';
import { erasedPersons } from '../../flows/close-erased-accounts.ts';
import type { Logger } from '../../runtime/log.ts';
import { knownBackups, writeErasedBeside } from './backup-files.ts';

/** Notes each erasure beside every backup that can be reached, so that no restore brings the person back (BACKUP1). */
export function noteErasures<Vault extends KeyVault>(
  vault: Vault,
  { dataDir, logger }: { readonly dataDir: string; readonly logger: Pick<Logger, 'warn'> },
): Vault {
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
