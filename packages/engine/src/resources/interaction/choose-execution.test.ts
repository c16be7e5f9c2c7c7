import { defaultCatalog, type CatalogModel } from '@tollgate/contract';
import type { Provider } from '@tollgate/provider';
import { expect, test } from 'vitest';
import type { AskedTool } from '../../tools/asked-tool.ts';
import { chooseExecution } from './choose-execution.ts';
import { estimateJob } from './estimate-interaction.ts';
import { hasOwnTools } from './interaction-model.ts';
import type { RoundWish } from './interaction-work.ts';

const found = defaultCatalog.find(({ id }) => id === 'flash-2.5');
if (found === undefined) throw new Error('the default catalog has no text model');
const row: CatalogModel = { ...found, capabilities: ['chat', 'functions'] };

const interactions: Provider['interactions'] = {
  start: () => Promise.reject(new Error('nothing is started here')),
  poll: () => Promise.reject(new Error('nothing is asked here')),
};
const generate = () => Promise.reject(new Error('nothing is generated here'));

const store: AskedTool = { kind: 'file_search', stores: [{ id: 'a store', reference: null }] };
const free: RoundWish = { toolChoice: { kind: 'auto' }, responseFormat: { kind: 'text' }, outputTokensMax: 100 };

/** Where no runner is registered, and providers know of the stores named here. */
const choose = async (
  provider: Provider,
  {
    round,
    tools = [],
    known = [],
  }: { round?: RoundWish; tools?: readonly AskedTool[]; known?: readonly string[] } = {},
) => {
  const findReference = (id: string) => Promise.resolve(known.includes(id) ? `note of ${id}` : null);
  const ask = { model: { row, provider }, settings: { round }, tools, environmentId: null };
  const chosen = await chooseExecution({ runners: {}, findReference }, ask);
  return typeof chosen === 'string' ? chosen : chosen.code;
};

const jobs: Provider = { name: 'jobs', interactions };
const rounds: Provider = { name: 'rounds', generate };
const both: Provider = { name: 'both', interactions, generate };

test('a provider of jobs gets what it can carry out, and the gateway what the provider does not know', async () => {
  expect(await choose(rounds)).toBe('rounds');
  expect(await choose(both)).toBe('job');
  expect(await choose(both, { tools: [store], known: ['a store'] })).toBe('job');
  // Nothing here runs the search in a store.
  expect(await choose(both, { tools: [store] })).toBe('model_incompatible');
  // Who has no other way hands over all of it.
  expect(await choose(jobs, { tools: [store] })).toBe('job');
  expect(await choose({ name: 'neither' })).toBe('model_incompatible');
});

test('a job takes no choice of tools and no bound of their calls, of one tool or of all', async () => {
  expect(await choose(jobs, { round: free })).toBe('job');
  expect(await choose(both, { round: free })).toBe('rounds');
  expect(await choose(jobs, { round: { ...free, toolChoice: { kind: 'none' } } })).toBe('model_incompatible');
  expect(await choose(jobs, { round: { ...free, toolCallsMax: 1 } })).toBe('model_incompatible');
  expect(await choose(jobs, { round: { ...free, callsMaxByTool: { file_search: 1 } } })).toBe('model_incompatible');
  expect(await choose(jobs, { round: { ...free, callsMaxByTool: {} } })).toBe('job');
});

test('a function of the client beside a tool of the gateway is no reason to take the tool for its own', () => {
  const model = { row, provider: rounds };
  const weather = { kind: 'function', name: 'get_weather' } as const;
  const code = { kind: 'code_execution' } as const;
  expect(hasOwnTools(model, [weather], null)).toBe(false);
  expect(hasOwnTools(model, [weather, code], null)).toBe(true);
});

test('a job holds the output that its model allows, and none where the model has no bound of output', () => {
  const call = {
    upstreamModel: 'upstream',
    systemInstruction: null,
    contents: [],
    tools: [],
    toolChoice: { kind: 'auto' },
    responseFormat: { kind: 'text' },
    sampling: {},
    outputTokensMax: 50,
  } as const;
  const units = (maxOutputTokens: number) =>
    estimateJob(call, { ...row, maxOutputTokens }, []).filter(({ unit }) => unit === 'output_text_tokens');
  expect(units(100)).toMatchObject([{ quantity: 50 }]);
  expect(units(0)).toEqual([]);
});
