import type { CommandBody, History } from './command.ts';
import { createSlots, type Draft } from './draft.ts';
import { createModel } from './model.ts';
import { moneyTheme } from './money-theme.ts';
import type { Random } from './random.ts';
import { answerAsModel } from './reference-model.ts';
import { firstMs } from './slot.ts';
import type { Theme } from './theme.ts';

const momentBound = 1 << 20;

/** Now and then a command that was sent before, exactly as it was. */
const drawAgain = (draft: Draft, theme: Theme): { readonly body: CommandBody; readonly at: number } | null => {
  const { random, commands } = draft;
  if (commands.length === 0 || random.int(5) > 0) return null;
  const at = random.int(2) === 0 ? commands.length - 1 : random.int(commands.length);
  const earlier = commands[at];
  if (earlier === undefined || !theme.comesAgain(draft, earlier, at === commands.length - 1)) return null;
  return { body: earlier.body, at: earlier.repeatOf ?? at };
};

const addCommand = (draft: Draft, theme: Theme): void => {
  const moment = draft.random.int(momentBound);
  const again = drawAgain(draft, theme);
  const body = again?.body ?? theme.fresh(draft);
  const waitMs = theme.waitMs(moment, body, draft);
  const repeatOf = again?.at ?? null;
  draft.commands.push({ body, waitMs, repeatOf });
  draft.nowMs += waitMs;
  if (theme.goesByModel) answerAsModel(draft.model, body, { ms: draft.nowMs, repeated: repeatOf !== null });
};

const startDraft = (random: Random, prefix: string, theme: Theme): Draft => ({
  random,
  prefix,
  slots: createSlots(random, prefix, theme),
  commands: [],
  hands: new Map(),
  model: createModel(prefix),
  nowMs: firstMs,
  opened: 0,
});

/** A history of so many commands as its theme has. The prefix keeps its records apart from those of others in one store. */
export const randomHistory = (random: Random, prefix = '', theme: Theme = moneyTheme): History => {
  const draft = startDraft(random, prefix, theme);
  const length = theme.lengthMin + random.int(theme.lengthMore);
  while (draft.commands.length < length) addCommand(draft, theme);
  return { slots: draft.slots, commands: draft.commands };
};

/** A history from lists of draws, one for the slots and one a command, so that leaving a list out shortens the history. */
export const drawnHistory = (slots: Random, commands: readonly Random[], theme: Theme = moneyTheme): History => {
  const draft = startDraft(slots, '', theme);
  for (const random of commands) {
    draft.random = random;
    addCommand(draft, theme);
  }
  return { slots: draft.slots, commands: draft.commands };
};
