import { choiceValues, type ChoiceName, type Choices } from './choices.ts';

/** `// #if host=node,hono` in code, `# #if …` in settings, `<!-- #if … -->` in Markdown. */
const opening = /^\s*(?:\/\/|#|<!--) #if (\S+)=(\S+?)(?: -->)?$/u;
const closing = /^\s*(?:\/\/|#|<!--) #endif(?: -->)?$/u;

const isChoice = (name: string): name is ChoiceName => Object.hasOwn(choiceValues, name);

const holds = (name: string, values: string, choices: Choices): boolean => {
  if (!isChoice(name)) throw new Error(`a template asks for the choice ${name}, which does not exist`);
  const accepted: readonly string[] = choiceValues[name];
  const wanted = values.split(',');
  const unknown = wanted.find((value) => !accepted.includes(value));
  if (unknown !== undefined) throw new Error(`a template asks for ${name}=${unknown}, which does not exist`);
  return wanted.includes(choices[name]);
};

/** Keeps the lines between `#if` and `#endif` whose condition holds for the choices, and removes the marks. */
export const renderTemplate = (text: string, choices: Choices): string => {
  const kept: string[] = [];
  let isKept = true;
  let isOpen = false;
  for (const line of text.split('\n')) {
    const [, name, values] = opening.exec(line) ?? [];
    if (name !== undefined && values !== undefined) {
      if (isOpen) throw new Error(`a template opens ${name}=${values} within another condition`);
      isKept = holds(name, values, choices);
      isOpen = true;
    } else if (closing.test(line)) {
      if (!isOpen) throw new Error('a template closes a condition that is not open');
      isKept = true;
      isOpen = false;
    } else if (isKept) kept.push(line);
  }
  if (isOpen) throw new Error('a template leaves a condition open');
  // What stood around a part that was removed leaves one empty line, not two.
  return kept.join('\n').replaceAll(/\n{3,}/gu, '\n\n');
};
