import { defaultCatalog } from '@tollgate/contract';
import { NotExecuted } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { createEngineWorld } from '../../../test/engine-world.ts';
import { toGenerationCall, type RoundSource } from './generation-call.ts';
import { defaultInteractionLimits } from './interaction-limits.ts';
import type { StoredStep } from './stored-step.ts';

const row = defaultCatalog.find(({ id }) => id === 'flash-2.5');
if (row === undefined) throw new Error('the default catalog has no text model');
const model = { row, provider: { name: 'scripted' } };
const author = { provider: 'scripted', upstreamModel: row.upstreamId };

const said = (text: string): StoredStep => ({ kind: 'user_input', content: [{ kind: 'text', text }] });
const responded = (text: string): StoredStep => ({ kind: 'model_output', content: [{ kind: 'text', text }] });
const picture: StoredStep = {
  kind: 'user_input',
  content: [{ kind: 'given', media: { kind: 'file', fileId: '00000000-0000-7000-8000-00000000f11e' } }],
};

const callOf = async (change: Partial<RoundSource>) =>
  toGenerationCall({
    engine: (await createEngineWorld()).engine,
    limits: defaultInteractionLimits,
    model,
    projectId: 'p',
    operationId: 'o',
    settings: { systemInstruction: null, format: { kind: 'text' }, sampling: {}, tools: [] },
    environmentId: null,
    history: [],
    steps: [said('Hello')],
    declared: [],
    ...change,
  });

const past = (...steps: readonly StoredStep[]) => ({ author, reference: null, steps });

test('tells a model what it said itself as its own, and what its client said as of the client', async () => {
  const { contents } = await callOf({ history: [past(said('One?'), responded('One.'))], steps: [said('Two?')] });
  expect(contents.map(({ role, parts }) => [role, parts])).toEqual([
    ['user', [{ kind: 'text', text: 'One?' }]],
    ['model', [{ kind: 'text', text: 'One.' }]],
    ['user', [{ kind: 'text', text: 'Two?' }]],
  ]);
});

test('goes on without a file of an earlier turn that has gone, and not without one of this turn', async () => {
  const { contents } = await callOf({ history: [past(picture, responded('A cat.'))] });
  expect(contents[0]?.parts).toEqual([{ kind: 'text', text: '[A file of an earlier turn is no longer available.]' }]);
  await expect(callOf({ steps: [picture] })).rejects.toThrow(NotExecuted);
});

test('asks for speech alone where the client wants sound', async () => {
  const settings = { systemInstruction: null, format: { kind: 'audio' }, sampling: {}, tools: [] } as const;
  expect((await callOf({ settings })).modalities).toEqual(['audio']);
});
