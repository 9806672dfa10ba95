import { exclusiveContract } from './exclusive.contract.ts';
import { createInProcessExclusive } from './in-process-exclusive.ts';

exclusiveContract('in process', async () => {
  const exclusive = createInProcessExclusive();
  return { one: exclusive, other: exclusive, dispose: () => exclusive.close() };
});
