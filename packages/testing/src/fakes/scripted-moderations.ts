import type { Judgement, ModerationCall, Moderations } from '@tollgate/provider';
import type { ScriptedAnswer } from './scripted-step.ts';

/** What a step that says nothing of it finds: nothing objectionable. */
const clear: Judgement = {
  isFlagged: false,
  categories: [{ name: 'violence', isFlagged: false, score: 0.1, appliedTo: ['text'] }],
};

export const toModerations = ({ inputs }: ModerationCall, { moderations }: ScriptedAnswer): Moderations => ({
  judgements: inputs.map(() => clear),
  usage: [{ unit: 'input_text_tokens', quantity: 10 * inputs.length, confirmed: true }],
  ...moderations,
});
