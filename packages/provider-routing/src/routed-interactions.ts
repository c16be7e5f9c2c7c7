import type { Interacted, InteractionCall, InteractionTool, Provider, Step, StepContent } from '@tollgate/provider';
import { liveFile, scopeFile } from './file-references.ts';
import { leadsTo, referenceFor } from './find-holder.ts';
import { writeLeafTag } from './leaf-tag.ts';
import type { JobRouting } from './routed-jobs.ts';

type ChangeFile = Parameters<typeof scopeFile>[0] extends infer F ? (file: F) => F : never;

const changeContent = (content: StepContent, change: ChangeFile): StepContent =>
  content.kind === 'blob' && content.file !== undefined ? { ...content, file: change(content.file) } : content;

const changeStep = (step: Step, change: ChangeFile): Step =>
  step.kind === 'user_input' || step.kind === 'model_output'
    ? { ...step, content: step.content.map((content) => changeContent(content, change)) }
    : step;

const changeFiles = (call: InteractionCall, change: ChangeFile): InteractionCall => ({
  ...call,
  input: call.input.map((step) => changeStep(step, change)),
  history: call.history.map((step) => changeStep(step, change)),
});

const scopeTool = (tool: InteractionTool, leaf: Provider): InteractionTool =>
  tool.kind === 'file_search'
    ? { ...tool, stores: tool.stores.map(({ id, reference }) => ({ id, reference: referenceFor(reference, leaf) })) }
    : tool;

const scopeInteraction = (call: InteractionCall, leaf: Provider): InteractionCall => {
  const { environmentReference, ...rest } = changeFiles(call, (file) => scopeFile(file, leaf));
  const environment = environmentReference === undefined ? null : referenceFor(environmentReference, leaf);
  return {
    ...rest,
    previousReference: referenceFor(call.previousReference, leaf),
    tools: call.tools.map((tool) => scopeTool(tool, leaf)),
    environmentReference: environment ?? undefined,
  };
};

/** What only the provider that keeps it can use. */
const referencesOf = ({ tools, environmentReference }: InteractionCall): readonly string[] => [
  ...tools.flatMap((tool) =>
    tool.kind === 'file_search' ? tool.stores.flatMap(({ reference }) => reference ?? []) : [],
  ),
  ...(environmentReference === undefined ? [] : [environmentReference]),
];

/** Whether a member carries out interactions of a model. */
export const takesInteraction = (member: Provider, upstreamModel: string): boolean =>
  member.interactions !== undefined && (member.takesInteraction?.(upstreamModel) ?? true);

export const interactionRouting: JobRouting<InteractionCall, Interacted> = {
  method: 'interactions',
  jobsOf: ({ interactions }) => interactions,
  live: (call) => changeFiles(call, liveFile),
  takes: (member, call) =>
    takesInteraction(member, call.upstreamModel) && referencesOf(call).every((reference) => leadsTo(member, reference)),
  scope: scopeInteraction,
  sign: (result, { name }) => ({
    ...result,
    reference: result.reference === null ? null : writeLeafTag(name, result.reference),
  }),
};
