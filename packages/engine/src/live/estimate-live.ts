import type { LiveConfig, LiveKind } from '@tollgate/contract';
import type { Estimate, Estimated } from '../ledger/hold.ts';
import { textTokens } from '../ledger/media-bounds.ts';
import type { BoundRow } from '../ledger/unit-bounds.ts';

/** The period that is held ahead. */
const periodSeconds = 60;
/** Tokens that a second of audio counts at the most, heard and spoken. */
export const heardTokensPerSecond = 32;
const spokenTokensPerSecond = 25;
/** Tokens of text in a minute of conversation. */
const writtenTokens = 2_048;

export const seenTokensPerFrame = 258;
/** One frame a second. */
const seen: Estimated = { unit: 'input_video_tokens', quantity: seenTokensPerFrame * periodSeconds };

const spoken = ({ generationConfig }: LiveConfig): Estimated =>
  (generationConfig?.responseModalities ?? ['AUDIO']).includes('AUDIO')
    ? { unit: 'output_audio_tokens', quantity: spokenTokensPerSecond * periodSeconds }
    : { unit: 'output_text_tokens', quantity: writtenTokens };

// live:create:holds
/** What the first period of a session may use; the hold is renewed as it goes on. */
export const estimateLive = (kind: LiveKind, config: LiveConfig, row: Pick<BoundRow, 'capabilities'>): Estimate => {
  const time: Estimate = [{ unit: 'session_seconds', quantity: periodSeconds, ifPriced: true }];
  if (kind === 'music') return [{ unit: 'music_seconds', quantity: periodSeconds }, ...time];
  const written = textTokens(JSON.stringify([config.systemInstruction, config.tools]));
  return [
    { unit: 'input_text_tokens', quantity: written },
    { unit: 'input_audio_tokens', quantity: heardTokensPerSecond * periodSeconds },
    spoken(config),
    ...(row.capabilities.includes('video_input') ? [seen] : []),
    // An upstream may meter sound by its length instead.
    { unit: 'input_audio_seconds', quantity: periodSeconds, ifPriced: true },
    { unit: 'output_audio_seconds', quantity: periodSeconds, ifPriced: true },
    ...time,
  ];
};
