import { defaultCatalog, type CatalogModel } from '@tollgate/contract';
import { usageUnits, type GenerationCall } from '@tollgate/provider';
import { describe, expect, test } from 'vitest';
import { estimateGeneration } from './estimate.ts';
import { parseTariff } from './tariff.ts';
import { unitBoundFaults } from './unit-bound-faults.ts';
import { unitTable } from './unit-table.ts';

const rowOf = (family: CatalogModel['family']): CatalogModel => {
  const row = defaultCatalog.find((each) => each.family === family);
  if (row === undefined) throw new Error(`the default catalog has no row of ${family}`);
  return row;
};

const text = 'Say it';
const call = (change: Partial<GenerationCall> = {}): GenerationCall => ({
  operationId: 'o',
  upstreamModel: 'u',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text }] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 100,
  ...change,
});

const quantities = (row: CatalogModel, change?: Partial<GenerationCall>) =>
  Object.fromEntries(estimateGeneration(call(change), row).map(({ unit, quantity }) => [unit, quantity]));

describe('the bounds of a call beside its tokens', () => {
  test('are what the family of the model makes, in every unit that an upstream may meter it by', () => {
    expect(quantities(rowOf('text'))).toEqual({ input_text_tokens: 15, output_text_tokens: 100 });
    expect(quantities(rowOf('image'))).toMatchObject({ output_image_tokens: 100, images: 10 });
    expect(quantities(rowOf('speech'))).toMatchObject({
      output_audio_tokens: 100,
      output_audio_seconds: 4,
      speech_characters: text.length,
    });
    expect(quantities(rowOf('music'))).toMatchObject({ music_clips: 1, music_seconds: 300 });
    expect(quantities(rowOf('video'))).toMatchObject({ video_seconds: 8, output_video_tokens: 100 });
    const sound = {
      role: 'user',
      parts: [{ kind: 'media', mimeType: 'audio/mpeg', data: 'A'.repeat(6_400) }],
    } as const;
    expect(quantities(rowOf('transcription'), { contents: [sound] })).toMatchObject({ input_audio_seconds: 8 });
  });

  test('are those of the catalog where the row has them', () => {
    const row = { ...rowOf('image'), unitsMax: { images: 3, mcp_calls: 2, music_clips: 5 } };
    const found = quantities(row);
    expect(found).toMatchObject({ images: 3, music_clips: 5 });
    expect(found).not.toHaveProperty('mcp_calls');
  });

  test('have no end for images where the row does not say how many there are', () => {
    const { unitsMax: _none, ...row } = rowOf('image');
    expect(quantities(row)).toMatchObject({ images: Infinity });
    expect(quantities(rowOf('text'), { modalities: ['image'] })).toMatchObject({ images: Infinity });
  });

  test('are the calls of the tools that the upstream runs, and what these put into the prompt', () => {
    const tools = [{ kind: 'code_execution' }, { kind: 'url_context' }] as const;
    expect(quantities(rowOf('text'), { tools })).toMatchObject({
      code_execution_runs: 8,
      url_fetches: 20,
      tool_use_input_tokens: 32_768,
    });
    const small = { ...rowOf('text'), contextTokens: 1_000, unitsMax: { url_fetches: 1 } };
    expect(quantities(small, { tools })).toMatchObject({ url_fetches: 1, tool_use_input_tokens: 1_000 });
  });
});

test('the table of units has units that there are, and no unit that stands for itself', () => {
  expect(Object.keys(unitTable)).toEqual([...usageUnits]);
  for (const unit of usageUnits) {
    const { chargedAs, mayBe } = unitTable[unit];
    expect([...chargedAs, ...mayBe]).not.toContain(unit);
  }
});

const tariff = (perMillion: Record<string, string>) => parseTariff({ version: 't', models: { '*': { perMillion } } });
const { unitsMax: _bound, ...open } = rowOf('image');

describe('an entry of a catalog', () => {
  test('has a fault where images have a price and no bound', () => {
    expect(unitBoundFaults(tariff({ images: '40000' }), open, 'catalog[1]')).toEqual([
      {
        place: 'catalog[1].unitsMax.images',
        message: `catalog[1].unitsMax.images is missing in the row of '${open.id}', and the tariff prices images; accepted is a whole number of at least 0, the most images of one answer`,
      },
    ]);
    expect(unitBoundFaults(tariff({ images: '0' }), open, 'row')).toEqual([]);
    expect(unitBoundFaults(tariff({ output_text_tokens: '1' }), open, 'row')).toEqual([]);
    for (const row of defaultCatalog) expect(unitBoundFaults(tariff({ images: '40000' }), row, 'row')).toEqual([]);
  });
});
