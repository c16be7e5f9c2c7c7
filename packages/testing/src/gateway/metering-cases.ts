import assert from 'node:assert/strict';
import type { Usage } from '@tollgate/provider';
import { assertRefused, okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { measured } from './measured.ts';

/** What a chat that measured this is charged. */
const charged = async (world: GatewayWorld, usage: readonly Usage[]): Promise<number> => {
  world.provider.script({ kind: 'answer', generation: { usage } });
  return okJson(await world.chat())
    .at('service', 'credits')
    .number();
};

/** The status of the operation of a chat that measured this and could not be charged. */
const markedUncertain = async (world: GatewayWorld, usage: readonly Usage[]): Promise<unknown> => {
  world.provider.script({ kind: 'answer', generation: { usage } });
  const error = assertRefused(await world.chat(), 502, 'request_failed');
  return (await world.record(error.at('request_id').text())).at('status').value;
};

const priced = (perMillion: Readonly<Record<string, string>>) => ({
  tariff: { version: `suite-${Object.keys(perMillion).join('-')}`, models: { '*': { perMillion } } },
});

const text = { input_text_tokens: '1000', output_text_tokens: '2000' };

/** What each unit costs, with a price of its own and without. */
export const meteringCases: readonly GatewayCase[] = [
  gatewayCase(
    'charges a token without a price of its own as the coarser one',
    async (world) => {
      assert.equal(await charged(world, measured(['input_audio_tokens', 1_000])), 1);
      assert.equal(await charged(world, measured(['cached_audio_tokens', 1_000])), 1);
      assert.equal(await charged(world, measured(['output_video_tokens', 1_000], ['thought_tokens', 500])), 3);
      assert.equal(await charged(world, measured(['embedding_tokens', 1_000], ['indexing_tokens', 1_000])), 2);
    },
    priced(text),
  ),
  gatewayCase(
    'charges a cached token as cached input, and input of its kind as such',
    async (world) => {
      assert.equal(await charged(world, measured(['input_audio_tokens', 1_000], ['cached_audio_tokens', 1_000])), 3.1);
      assert.equal(await charged(world, measured(['cached_image_tokens', 1_000])), 0.1);
    },
    priced({ ...text, input_audio_tokens: '3000', cached_input_tokens: '100' }),
  ),
  gatewayCase(
    'charges images, seconds and characters by a price of their own, and is uncertain without one',
    async (world) => {
      assert.equal(await charged(world, measured(['images', 2])), 0.08);
      assert.equal(await markedUncertain(world, measured(['images', 1], ['output_audio_seconds', 3])), 'uncertain');
      assert.equal(await markedUncertain(world, measured(['speech_characters', 3])), 'uncertain');
    },
    priced({ ...text, images: '40000' }),
  ),
  gatewayCase(
    'takes a zero as a measure even where there is no price',
    async (world) => {
      assert.equal(await charged(world, measured(['input_text_tokens', 1_000], ['web_search_queries', 0])), 1);
    },
    priced(text),
  ),
  gatewayCase(
    'takes what was not measured for no measure',
    async (world) => {
      assert.equal(await markedUncertain(world, []), 'uncertain');
      assert.equal(
        await markedUncertain(world, [{ unit: 'input_text_tokens', quantity: 0, confirmed: false }]),
        'uncertain',
      );
    },
    priced(text),
  ),
];
