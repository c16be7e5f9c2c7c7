import { isNotExecuted } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { toSearchLimits } from './search-limits.ts';

const tool = { kind: 'web_search', allowedDomains: ['example.com'] } as const;

test('writes the limits of a search as each vendor takes them, and refuses what it does not keep', () => {
  expect(toSearchLimits({ ...tool, blockedDomains: ['example.org'], usesMax: 2 }, 'anthropic')).toEqual({
    allowedDomains: ['example.com'],
    blockedDomains: ['example.org'],
    maxUses: 2,
  });
  expect(toSearchLimits(tool, 'openai')).toEqual({ filters: { allowedDomains: ['example.com'] } });
  for (const vendor of ['google', 'openai_compatible', 'other'] as const) {
    expect(toSearchLimits({ kind: 'web_search' }, vendor)).toEqual({});
    expect(() => toSearchLimits(tool, vendor)).toThrow(expect.toSatisfy(isNotExecuted));
  }
  expect(() => toSearchLimits({ ...tool, usesMax: 1 }, 'openai')).toThrow(expect.toSatisfy(isNotExecuted));
});
