import { countsContract } from './counts.contract.ts';
import { documentsContract } from './documents.contract.ts';
import { dueWorkContract } from './due-work.contract.ts';
import { ledgerContract } from './ledger.contract.ts';
import { listsContract } from './lists.contract.ts';
import type { StartReadModels } from './read-models.fixture.ts';
import { searchesContract } from './searches.contract.ts';

/** Contract tests that every ReadModels adapter must pass. */
export function readModelsContract(adapter: string, start: StartReadModels): void {
  documentsContract(adapter, start);
  listsContract(adapter, start);
  searchesContract(adapter, start);
  countsContract(adapter, start);
  dueWorkContract(adapter, start);
  ledgerContract(adapter, start);
}
