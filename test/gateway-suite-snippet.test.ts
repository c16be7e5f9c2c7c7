import { createMemoryDisk, memoryStorage } from '@tollgate/storage-memory';
import { gatewayCases, runGatewayCase } from '@tollgate/testing/gateway';
import { expect, test } from 'vitest';
import { gatewayOver } from '../docs/snippets/gateway-suite.ts';

const open = gatewayOver((now) => {
  const disk = createMemoryDisk();
  return () => memoryStorage({ disk, now });
});

/** The suite as a whole runs over the storages beside this; here are cases of each kind. */
const sampled = gatewayCases.filter(
  ({ title }, at) => at % 60 === 0 || /socket|restart|reopen|again on the same data/iu.test(title),
);

test('the sample is of all parts of the suite', () => expect(sampled.length).toBeGreaterThan(10));

test.each(sampled.slice(0, 60))('the gateway of the documentation keeps the contract: $title', async (one) => {
  await expect(runGatewayCase(open, one)).resolves.toBeUndefined();
});
