import {
  asObject,
  asText,
  type CodeExecutionResultPart,
  type ExecutableCodePart,
  type JsonObject,
  type Part,
  type UntrustedObject,
} from '@tollgate/provider';

/** The tools by which this upstream runs code, by the language of what they run. */
const codeTools = {
  PYTHON: { name: 'code_execution', member: 'code', result: 'code_execution' },
  BASH: { name: 'bash_code_execution', member: 'command', result: 'bash_code_execution' },
} as const;

type Language = keyof typeof codeTools;
const languages: readonly Language[] = ['PYTHON', 'BASH'];

const isLanguage = (language: string): language is Language => Object.hasOwn(codeTools, language);

/** Every call of these is a run, what it does with files too. */
const runNames: ReadonlySet<unknown> = new Set([
  ...languages.map((language) => codeTools[language].name),
  'text_editor_code_execution',
]);

/** Runs of code among the blocks of a message. */
export const countRuns = (content: readonly unknown[]): number =>
  content
    .map((block) => asObject(block))
    .filter((block) => block?.['type'] === 'server_tool_use' && runNames.has(block['name'])).length;

/** Code that the upstream ran, of a block `server_tool_use`. */
export const readCode = (block: UntrustedObject): ExecutableCodePart | undefined => {
  const language = languages.find((each) => codeTools[each].name === block['name']);
  const id = asText(block['id']);
  if (language === undefined || id === undefined) return undefined;
  return {
    kind: 'executable_code',
    id,
    language,
    code: asText(asObject(block['input'])?.[codeTools[language].member]) ?? '',
  };
};

const resultTypes: ReadonlySet<unknown> = new Set(
  languages.map((language) => `${codeTools[language].result}_tool_result`),
);

/** What code came to, of its result block. */
export const readCodeResult = (block: UntrustedObject): CodeExecutionResultPart | undefined => {
  const id = asText(block['tool_use_id']);
  const content = asObject(block['content']);
  if (!resultTypes.has(block['type']) || id === undefined || content === undefined) return undefined;
  const error = asText(content['error_code']);
  if (error !== undefined)
    return {
      kind: 'code_execution_result',
      id,
      outcome: error === 'execution_time_exceeded' ? 'deadline_exceeded' : 'failed',
      output: '',
    };
  const output = `${asText(content['stdout']) ?? ''}${asText(content['stderr']) ?? ''}`;
  return { kind: 'code_execution_result', id, outcome: content['return_code'] === 0 ? 'ok' : 'failed', output };
};

/** Ids that this upstream gives to what it runs. */
const ownId = /^srvtoolu_[a-zA-Z0-9_]{1,100}$/;

/** Whether code, or its result, is of a kind that this upstream ran itself. */
export const isOwnCode = (part: ExecutableCodePart | CodeExecutionResultPart): boolean =>
  part.id !== undefined && ownId.test(part.id) && (part.kind === 'code_execution_result' || isLanguage(part.language));

/** Code and its result go back together: the upstream refuses the one without the other. */
export const toCodeBlocks = (code: ExecutableCodePart, parts: readonly Part[]): readonly JsonObject[] => {
  const result = parts.find((part) => part.kind === 'code_execution_result' && part.id === code.id);
  if (result?.kind !== 'code_execution_result' || !isLanguage(code.language)) return [];
  const { name, member, result: resultName } = codeTools[code.language];
  const isOk = result.outcome === 'ok';
  const content = {
    type: `${resultName}_result`,
    stdout: isOk ? result.output : '',
    stderr: isOk ? '' : result.output,
    return_code: isOk ? 0 : 1,
    content: [],
  };
  return [
    { type: 'server_tool_use', id: code.id, name, input: { [member]: code.code } },
    { type: `${resultName}_tool_result`, tool_use_id: code.id, content },
  ];
};
