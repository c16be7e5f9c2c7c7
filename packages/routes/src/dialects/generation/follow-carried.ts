import { GatewayError } from '@tollgate/contract';
import type { FoundResource } from '@tollgate/engine';
import { comment } from '../../event-channel.ts';
import type { EventFeed } from '../../event-feed.ts';
import { followInteraction, type Following, type InteractionWriter } from '../../interactions/follow-interaction.ts';
import type { Service } from '../../service.ts';
import { partsOfSteps, readCarried, type CarriedAnswer } from './carried-answer.ts';
import type { GenerationDialect } from './generation-dialect.ts';
import { createStateSeal } from './seal-state.ts';
import { settledCarried, unfinishedOf } from './write-carried.ts';

const requireCarried = async (
  service: Service,
  dialect: GenerationDialect,
  found: FoundResource,
): Promise<CarriedAnswer> => {
  const carried = await readCarried(service, dialect.name, found);
  if (carried === null) throw new GatewayError('not_found');
  return carried;
};

/**
 * The head with nothing in its input. Events show whether there is one, and no more of it; it can be as long as a body, and a
 * connection can last for an hour.
 */
const withoutInputs = ({ echo, ...head }: CarriedAnswer['head']): CarriedAnswer['head'] => ({
  ...head,
  echo: Object.hasOwn(echo, 'inputs') ? { ...echo, inputs: [] } : echo,
});

/** The events of a dialect, written from the record of the interaction that carries its request. */
const carriedWriter = (
  service: Service,
  dialect: GenerationDialect,
  { head }: CarriedAnswer,
  projectId: string,
): InteractionWriter => {
  const seal = createStateSeal(service, projectId);
  const writer = dialect.openStream(withoutInputs(head));
  const silence = dialect.framing?.comments === false ? '' : comment;
  const alive = (): string => writer.alive?.() ?? silence;
  let written = 0;
  return {
    begin: () => writer.alive?.() ?? '',
    alive,
    more: async (found) => {
      const { steps } = await requireCarried(service, dialect, found);
      const parts = partsOfSteps(steps, seal);
      const fresh = parts.slice(written);
      written = parts.length;
      return fresh.length === 0 ? '' : writer.piece(fresh);
    },
    end: async (found) => {
      const carried = await requireCarried(service, dialect, found);
      const unfinished = unfinishedOf(found, carried);
      if (unfinished === null) return writer.end(settledCarried(service, found, carried));
      if (unfinished.status === 'failed') return writer.fail(unfinished.error);
      return writer.fail(new GatewayError('request_cancelled', { requestId: found.operation.id }));
    },
    fail: (error) => writer.fail(error),
  };
};

/** The events of an interaction that carries a request of a dialect, as they become known. */
export const followCarried = async (
  following: Following & { readonly dialect: GenerationDialect },
  found: FoundResource,
): Promise<EventFeed> => {
  const { service, dialect } = following;
  const carried = await requireCarried(service, dialect, found);
  return followInteraction(following, found, carriedWriter(service, dialect, carried, found.operation.projectId));
};
