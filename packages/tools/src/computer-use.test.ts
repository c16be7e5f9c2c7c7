import { expect, test } from 'vitest';
import { toolContext } from '../test/tool-context.ts';
import { computerUse } from './computer-use.ts';

test('proposes what to do in a browser, and does nothing itself', async () => {
  const runner = computerUse();
  const declared = await runner.declare({ kind: 'computer_use', environment: 'browser' }, toolContext());
  expect(declared.map(({ name }) => name)).toEqual([
    'open_web_browser',
    'wait_5_seconds',
    'go_back',
    'go_forward',
    'search',
    'navigate',
    'click_at',
    'hover_at',
    'type_text_at',
    'key_combination',
    'scroll_document',
    'scroll_at',
    'drag_and_drop',
  ]);
  expect(declared.find(({ name }) => name === 'type_text_at')?.parameters).toMatchObject({
    properties: { x: { minimum: 0, maximum: 999 }, text: { type: 'string' } },
    required: ['x', 'y', 'text'],
  });
  expect(runner.run).toBeUndefined();
  expect(runner.callUsageMax).toEqual([]);
});
