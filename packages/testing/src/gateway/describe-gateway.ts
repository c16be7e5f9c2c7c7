import type { TestRunner } from '../test-runner.ts';
import { gatewayCases } from './gateway-cases.ts';
import type { GatewayCase } from './gateway-case.ts';
import type { OpenGateway } from './gateway-under-test.ts';
import { assertSound, openWorld } from './gateway-world.ts';

/** Runs a case on a gateway of its own; at the end its accounts must add up. */
export const runGatewayCase = async (open: OpenGateway, { run, settings }: GatewayCase): Promise<void> => {
  const { world, close } = await openWorld(open, settings);
  try {
    await run(world);
    await assertSound(world.admin);
  } finally {
    await close();
  }
};

/**
 * Registers a test for everything that the contract says of a gateway, each on a gateway opened for it alone on empty data.
 * There is no way to leave one out.
 */
export const describeGateway = (runner: TestRunner, name: string, open: OpenGateway): void => {
  runner.describe(`${name} keeps the contract`, () => {
    for (const each of gatewayCases) runner.test(each.title, () => runGatewayCase(open, each));
  });
};
