import type { Provider } from '@tollgate/provider';
import { takesInteraction } from './routed-interactions.ts';

/** Whether any of them carries out interactions of this model as jobs. */
export const takesInteractionOfMany =
  (members: readonly Provider[], nameOf: (upstreamModel: string) => string) =>
  (upstreamModel: string): boolean =>
    members.some((member) => takesInteraction(member, nameOf(upstreamModel)));

const isGenerationTool = (tool: string): boolean => tool === 'code_execution' || tool === 'url_context';

/** Whether all of them run the tool while they generate: which of them will be asked is not known before. */
export const runsToolOfMany =
  (members: readonly Provider[], nameOf: (upstreamModel: string) => string): NonNullable<Provider['runsTool']> =>
  (tool, upstreamModel) => {
    const generating = members.filter((member) => member.generate !== undefined || member.generateStream !== undefined);
    return (
      generating.length > 0 &&
      generating.every((member) => member.runsTool?.(tool, nameOf(upstreamModel)) ?? isGenerationTool(tool))
    );
  };
