import { createGrowingText, type GrowingText, type UntrustedObject } from '@tollgate/provider';
import { createToolMeter, type ToolMeter } from './tool-meter.ts';

/** What one request has told so far. */
export interface ModelRound {
  begun: boolean;
  candidate: boolean;
  reason: string | undefined;
  token: string | undefined;
  /** What the upstream calls this answer. */
  answerId: string | undefined;
  /** The upstream's running total of this request, as it wrote it: the last one that can be read counts. */
  usage: UntrustedObject | undefined;
  /** Whether something of the answer came after that total, which it cannot count. */
  outgrown: boolean;
  /** What was found, as the upstream told it last. */
  grounding: UntrustedObject | undefined;
  /** The visible text, where it may be cited. */
  readonly said: GrowingText;
  readonly tools: ToolMeter;
}

export const startRound = (): ModelRound => ({
  begun: false,
  candidate: false,
  reason: undefined,
  token: undefined,
  answerId: undefined,
  usage: undefined,
  outgrown: false,
  grounding: undefined,
  said: createGrowingText(),
  tools: createToolMeter(),
});
