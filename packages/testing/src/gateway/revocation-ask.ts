import assert from 'node:assert/strict';
import type { Caller, GatewayWorld } from './gateway-world.ts';
import { suiteModel } from './suite-tariff.ts';

export const revoke = async (world: GatewayWorld, { keyId }: Caller): Promise<void> => {
  await world.admin.setKeyStatus(keyId, 'revoked');
};

/** Status, what was charged and set aside in micro-credits, and why, as the administration reads them. */
export const availability = async (world: GatewayWorld, id: string): Promise<readonly unknown[]> => {
  const operation = await world.admin.readOperation(id);
  assert.ok(operation !== null, 'the operation is on record');
  const { state, chargedMicros, holdMicros, errorCode } = operation;
  return [state, chargedMicros, holdMicros, errorCode];
};

/** A key of the first project that is revoked in a case, and a second one that reads what is left. */
export const doomed = (world: GatewayWorld, model: string = suiteModel): Promise<Caller> =>
  world.createCaller({ projectId: world.projectId, model });
