import type { LiveConfig, LiveKind } from '@tollgate/contract';
import type { UsageUnit } from '@tollgate/provider';
import { textTokens } from '../media-bounds.ts';
import type { ModelTariff, Quantities } from '../tariff.ts';

/** The period that is held ahead. */
const periodSeconds = 60;
/** Tokens that a second of sound counts at the most, heard and spoken. */
const heardTokensPerSecond = 32;
const spokenTokensPerSecond = 25;
/** Tokens of text in a minute of conversation. */
const writtenTokens = 2_048;

const spoken = ({ generationConfig }: LiveConfig): { readonly unit: UsageUnit; readonly quantity: number } =>
  (generationConfig?.responseModalities ?? ['AUDIO']).includes('AUDIO')
    ? { unit: 'output_audio_tokens', quantity: spokenTokensPerSecond * periodSeconds }
    : { unit: 'output_text_tokens', quantity: writtenTokens };

/** What the first period of a session may use; the hold is renewed as it goes on (live:create:holds). */
export const estimateLive = (kind: LiveKind, config: LiveConfig, tariff: ModelTariff | null): Quantities => {
  const time: Quantities =
    tariff?.picosPerUnit.has('session_seconds') === true ? [{ unit: 'session_seconds', quantity: periodSeconds }] : [];
  if (kind === 'music') return [{ unit: 'music_seconds', quantity: periodSeconds }, ...time];
  const written = textTokens(JSON.stringify([config.systemInstruction, config.tools]));
  return [
    { unit: 'input_text_tokens', quantity: written },
    { unit: 'input_audio_tokens', quantity: heardTokensPerSecond * periodSeconds },
    spoken(config),
    ...time,
  ];
};
