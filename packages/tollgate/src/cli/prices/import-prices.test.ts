import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseTariff } from '@tollgate/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { runIn } from '../../../test/run-in.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tollgate-prices-'));
  file = path.join(folder, 'prices.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: readonly string[]) => runIn({ TOLLGATE_DB: path.join(folder, 'none', 'gateway.db') }, ...words);

const plain = { input_cost_per_token: 1.25e-6, output_cost_per_token: 1e-5 };
const importWords = ['prices', 'import'] as const;
const options = ['--from', 'litellm', '--list', 'may'] as const;

const List = z.object({
  version: z.string(),
  models: z.record(z.string(), z.object({ perMillion: z.record(z.string(), z.string()) })),
});
const listOf = (printed: string) => List.strict().parse(JSON.parse(printed));

const write = (list: unknown): void => writeFileSync(file, JSON.stringify(list));

test('an imported list is a price list, and no database is opened for it', async () => {
  write({ small: plain });
  const { code, printed, complained } = await run(...importWords, file, ...options);
  expect({ code, complained }).toEqual({ code: 0, complained: '' });
  const list = listOf(printed);
  expect(list).toEqual({
    version: 'may',
    models: { small: { perMillion: { input_text_tokens: '1.25', output_text_tokens: '10' } } },
  });
  expect(parseTariff(list).version).toBe('may');
});

test('a model that cannot be priced whole is left out and named, with exit code 1', async () => {
  const costly = { ...plain, output_cost_per_token: 1 };
  write({
    small: plain,
    costly,
    free: { ...plain, input_cost_per_token: 0 },
    odd: { ...plain, input_cost_per_smell: 1 },
  });
  const { code, printed, complained } = await run(...importWords, file, ...options);
  expect(code).toBe(1);
  expect(Object.keys(listOf(printed).models)).toEqual(['small']);
  expect(complained).toBe(
    [
      'model left out: costly: output_cost_per_token: beyond_bound, the price is higher than is believed; --force takes it',
      'model left out: free: input_cost_per_token: zero, the price is 0, or below the last decimal; --allow-zero takes it as 0',
      'model left out: odd: input_cost_per_smell: unknown_field, a price list has no place for it; --ignore-field input_cost_per_smell takes the model without it',
    ].join('\n'),
  );
  const taken = await run(...importWords, file, ...options, '--allow-zero', '--force', '--models', 'costly,free');
  expect(taken.code).toBe(0);
  expect(Object.keys(listOf(taken.printed).models)).toEqual(['costly', 'free']);
  const ignoring = [...importWords, file, ...options, '--models', 'odd', '--ignore-field', 'input_cost_per_smell'];
  const without = await run(...ignoring, '--ignore-field', 'another');
  expect(without).toMatchObject({
    code: 0,
    complained: 'field left out: odd: input_cost_per_smell: ignored, as --ignore-field says',
  });
  expect(Object.keys(listOf(without.printed).models)).toEqual(['odd']);
});

test('a model that a list has twice with other prices is left out, with what to do', async () => {
  const priced = { id: 'm', pricing: { prompt: '0.000003', completion: '0.00002' } };
  write({ data: [priced, { ...priced, pricing: { ...priced.pricing, completion: '0.00001' } }] });
  const { code, printed, complained } = await run(...importWords, file, '--from', 'openrouter', '--list', 'may');
  expect({ code, printed }).toEqual({ code: 1, printed: '' });
  expect(complained).toContain('model left out: m: id: conflict, the list has the model more than once');
});

test('a model that was asked for and is not in the file is named', async () => {
  write({ small: plain });
  const { code, complained } = await run(...importWords, file, ...options, '--models', 'small,absent');
  expect({ code, complained }).toEqual({ code: 1, complained: 'not in the list: absent' });
  expect(await run(...importWords, file, ...options, '--models', 'absent')).toMatchObject({ code: 1, printed: '' });
});

test('a file that is no list, and an incomplete command line, end with exit code 2', async () => {
  expect(await run(...importWords, file, ...options)).toMatchObject({ code: 2, printed: '' });
  writeFileSync(file, '{');
  expect(await run(...importWords, file, ...options)).toMatchObject({ code: 2, complained: `${file} is not JSON` });
  write([]);
  expect((await run(...importWords, file, ...options)).complained).toContain('is not a JSON object');
  expect((await run(...importWords, file, '--from', 'other', '--list', 'x')).complained).toContain(
    '--from takes one of litellm, models.dev, openrouter',
  );
  expect((await run(...importWords, file, '--from', 'litellm')).complained).toContain('--list is needed');
  expect((await run(...importWords, ...options)).complained).toContain('takes the file');
  expect((await run('prices')).code).toBe(2);
});
