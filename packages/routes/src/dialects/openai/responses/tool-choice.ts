import { GatewayError } from '@tollgate/contract';
import type { ToolChoice } from '@tollgate/provider';
import type { ImageChoice } from './image-tool.ts';
import type { ReadTools } from './read-tools.ts';
import type { ResponseFields } from './response-body.ts';

const isDeclared = ({ tools }: ReadTools, name: string): boolean =>
  tools.some((tool) => tool.kind === 'function' && tool.name === name);

const undeclared = (): GatewayError =>
  new GatewayError('invalid_request', {
    detail: 'The field tool_choice names no tool of the request; accepted are names that tools declares.',
  });

type NamedChoice = Exclude<NonNullable<ResponseFields['tool_choice']>, string | { readonly type: 'image_generation' }>;

const namesIn = (choice: NamedChoice): readonly string[] =>
  choice.type === 'allowed_tools' ? choice.tools.map(({ name }) => name) : [choice.name];

/** The choice between the functions of a request. */
export const toToolChoice = ({ tool_choice: choice }: ResponseFields, tools: ReadTools): ToolChoice => {
  if (!choice) return { kind: 'auto' };
  if (typeof choice === 'string') return { kind: choice };
  if (choice.type === 'image_generation') {
    if (tools.imageTools.length === 0) throw undeclared();
    return { kind: 'auto' };
  }
  const given = namesIn(choice);
  if (given.some((name) => !isDeclared(tools, name))) throw undeclared();
  const [only = ''] = given;
  if (choice.type !== 'allowed_tools') return { kind: 'function', name: only };
  return { kind: choice.mode === 'required' ? 'required' : 'validated', names: given };
};

/** Where nothing else is declared, an image is the only thing that can be required. */
export const imageChoiceOf = (
  { tool_choice: choice }: ResponseFields,
  { tools, gatewayTools }: ReadTools,
): ImageChoice => {
  if (choice === 'none') return 'none';
  const isNamed = typeof choice === 'object' && choice?.type === 'image_generation';
  const isOnly = choice === 'required' && tools.length + gatewayTools.length === 0;
  return isNamed || isOnly ? 'forced' : 'free';
};
