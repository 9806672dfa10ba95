import type { StartReadModels } from '../engine/read-models/read-models.fixture.ts';
import { countsContract } from './counts.contract.ts';
import { dueWorkContract } from './due-work.contract.ts';
import { ledgerContract } from './ledger.contract.ts';
import { listsContract } from './lists.contract.ts';
import { randomQueriesContract } from './random-queries.contract.ts';
import { searchesContract } from './searches.contract.ts';

/** Tests of the shop's queries that every ReadModels adapter must pass. */
export function shopQueriesContract(adapter: string, start: StartReadModels): void {
  listsContract(adapter, start);
  searchesContract(adapter, start);
  countsContract(adapter, start);
  dueWorkContract(adapter, start);
  ledgerContract(adapter, start);
  randomQueriesContract(adapter, start);
}
