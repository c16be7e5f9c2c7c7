import type { OperationRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { createEngineWorld, idOf, type EngineWorld } from '../../test/engine-world.ts';
import { findAnswer } from './answers.ts';
import { forgetAnswer } from './forget-answer.ts';

const body = '{"tokens":5}';

const completed = async (world: EngineWorld): Promise<OperationRecord> => {
  const id = idOf(await world.run({ identity: 'once' }));
  const operation = (await world.storage.read([{ table: 'operation', id }])).get('operation', id);
  if (operation === undefined) throw new Error('no operation');
  return operation;
};

test('reads an answer beside the records whole, whatever its size', async () => {
  const world = await createEngineWorld();
  expect(await findAnswer(world.engine, await completed(world), 1)).toBe(body);
});

test('reads an answer in a blob up to a bound, and says where one beyond it lies', async () => {
  const world = await createEngineWorld(100n, { limits: { inlineAnswerBytesMax: 4 } });
  const operation = await completed(world);
  expect(await findAnswer(world.engine, operation, body.length)).toBe(body);
  const blobKey = `answers/${operation.id}`;
  expect(await findAnswer(world.engine, operation, body.length - 1)).toEqual({ blobKey, bytes: body.length });
});

test('forgets an answer with its blob, and refuses a repeat ever after', async () => {
  const world = await createEngineWorld(100n, { limits: { inlineAnswerBytesMax: 4 } });
  const operation = await completed(world);
  await forgetAnswer(world.engine, operation);
  expect(await world.storage.blobs.get(`answers/${operation.id}`)).toBeUndefined();
  expect(await world.run({ identity: 'once' })).toMatchObject({ code: 'result_expired', requestId: operation.id });
});

test('leaves the answer to a sweep that has taken the operation', async () => {
  const world = await createEngineWorld(100n, { limits: { inlineAnswerBytesMax: 4 } });
  const operation = await completed(world);
  await forgetAnswer(world.engine, { ...operation, owner: 'a sweep' });
  expect(await world.storage.blobs.get(`answers/${operation.id}`)).toBeDefined();
});
