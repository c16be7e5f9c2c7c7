import { microsFromCredits, type Verdict, type VerdictNote, type VerdictPart } from '@tollgate/engine';
import { listOption, textOption, UsageError, type CommandInput } from './command.ts';
import { creditsOption } from './deposit-command.ts';
import { readUsage } from './usage-option.ts';

const isAmount = (text: string): boolean => /^\d+(?:\.\d{1,6})?$/.test(text);

/** `PART=failed`, `PART=0.35` in credits, or `PART=input_text_tokens:10`; the name of a part may hold a `=` itself. */
const readPart = (text: string): VerdictPart => {
  const at = text.lastIndexOf('=');
  const part = text.slice(0, at);
  const value = text.slice(at + 1);
  if (at < 1) throw new UsageError(`--part has '${text}', and takes PART=failed, PART=CREDITS or PART=UNIT:QUANTITY`);
  if (value === 'failed') return { part, executed: false };
  if (isAmount(value)) return { part, executed: true, amountMicros: microsFromCredits(value) };
  return { part, executed: true, usage: readUsage('part', value) };
};

type Choice = readonly [isChosen: boolean, verdict: () => Verdict];

/** What was decided, by the one option that says so. */
export const verdictOption = (input: CommandInput): Verdict => {
  const { options } = input;
  const measured = listOption(input, 'measured');
  const parts = listOption(input, 'part');
  const choices: readonly Choice[] = [
    [options['failed'] === true, () => ({ executed: false })],
    [options['settle'] === true, () => ({ executed: true })],
    [
      textOption(input, 'charge') !== undefined,
      () => ({ executed: true, amountMicros: creditsOption(input, 'charge') }),
    ],
    [measured.length > 0, () => ({ executed: true, usage: readUsage('measured', measured.join(',')) })],
    [options['at-least'] === true, () => ({ executed: true, usage: 'at_least' })],
    [parts.length > 0, () => ({ executed: true, parts: parts.map(readPart) })],
  ];
  const [chosen, ...others] = choices.filter(([isChosen]) => isChosen);
  if (chosen === undefined || others.length > 0)
    throw new UsageError('one of --failed, --charge, --settle, --measured, --at-least and --part is needed');
  return chosen[1]();
};

/** Who decided, why and by what; without a word, the user of the shell. */
export const verdictNote = (input: CommandInput): VerdictNote => {
  const { environment } = input.world;
  const by = textOption(input, 'by') ?? environment['USER'] ?? environment['USERNAME'];
  const reason = textOption(input, 'reason');
  const reference = textOption(input, 'reference');
  return {
    ...(by === undefined || by === '' ? {} : { by }),
    ...(reason === undefined ? {} : { reason }),
    ...(reference === undefined ? {} : { reference }),
  };
};
