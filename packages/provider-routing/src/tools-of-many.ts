import type { Provider } from '@tollgate/provider';
import { takesInteraction } from './routed-interactions.ts';

/** Who may be asked for a model, and by which name they know it. */
export interface Candidates {
  readonly of: (upstreamModel: string) => readonly Provider[];
  readonly nameOf: (upstreamModel: string) => string;
}

/** Whether any of them carries out interactions of this model as jobs. */
export const takesInteractionOfMany =
  (candidates: Candidates) =>
  (upstreamModel: string): boolean =>
    candidates.of(upstreamModel).some((member) => takesInteraction(member, candidates.nameOf(upstreamModel)));

/** Tools that a provider runs without saying so, where the catalog's entry has them. */
const isRunUnsaid = (tool: string): boolean => tool === 'code_execution' || tool === 'url_context';

const generatingOf = ({ of }: Candidates, upstreamModel: string): readonly Provider[] =>
  of(upstreamModel).filter((member) => member.generate !== undefined || member.generateStream !== undefined);

/** Whether all of them take the service tier: which of them will be asked is not known before. */
export const takesServiceTierOfMany =
  (candidates: Candidates): NonNullable<Provider['takesServiceTier']> =>
  (tier, upstreamModel) => {
    const generating = generatingOf(candidates, upstreamModel);
    const name = candidates.nameOf(upstreamModel);
    return generating.length > 0 && generating.every((member) => member.takesServiceTier?.(tier, name) === true);
  };

/** Whether all of them run the tool while they generate: which of them will be asked is not known before. */
export const runsToolOfMany =
  (candidates: Candidates): NonNullable<Provider['runsTool']> =>
  (tool, upstreamModel) => {
    const name = candidates.nameOf(upstreamModel);
    const generating = generatingOf(candidates, upstreamModel);
    return generating.length > 0 && generating.every((member) => member.runsTool?.(tool, name) ?? isRunUnsaid(tool));
  };
