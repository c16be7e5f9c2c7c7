import { expect, test } from 'vitest';
import { runsUpstream } from './runs-upstream.ts';

const row = { upstreamId: 'upstream', capabilities: ['code_execution'] };

test('runs what the catalog offers and the provider does not deny', () => {
  expect(runsUpstream(row, {}, 'code_execution')).toBe(true);
  expect(runsUpstream(row, { runsTool: () => false }, 'code_execution')).toBe(false);
  expect(runsUpstream(row, { runsTool: () => true }, 'url_context')).toBe(false);
});

const runsTool = (tool: string, model: string) => tool === 'web_search' && model === 'upstream';

test('searches where the provider says so for the model', () => {
  expect(runsUpstream(row, { runsTool }, 'web_search')).toBe(true);
  expect(runsUpstream({ ...row, upstreamId: 'other' }, { runsTool }, 'web_search')).toBe(false);
  expect(runsUpstream({ ...row, capabilities: ['web_search'] }, {}, 'web_search')).toBe(false);
  expect(runsUpstream(row, null, 'web_search')).toBe(false);
});
