import { GatewayError, isRecord } from '@tollgate/contract';
import { toWireSteps, viewInteraction, type Access, type FoundResource } from '@tollgate/engine';
import { receiptOf } from '../../../chat/encode-completion.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { followInteraction, type InteractionWriter } from '../../../interactions/follow-interaction.ts';
import { present } from '../../../present.ts';
import { contentPath } from '../../../resources/encode-resource.ts';
import type { Service } from '../../../service.ts';
import { streamHeaders } from '../../../stream-in-time.ts';
import { errorOfOperation } from '../../generation/write-carried.ts';
import { interactionHead } from './interaction-head.ts';
import { writeAlive, writeEvent, writeFailure, writeStep, type WrittenInteraction } from './interaction-events.ts';

const interactionWriter = (service: Service, begun: FoundResource): InteractionWriter => {
  const { id } = begun.resource;
  const written: WrittenInteraction = { next: 0, steps: 0 };
  const media = {
    dataOf: () => null,
    uriOf: (index: number) => contentPath(service, 'interaction', id, index),
  };
  return {
    begin: () => {
      const { created, model } = interactionHead(begun);
      const interaction = { id, object: 'interaction', status: 'in_progress', model, created };
      return writeEvent(written, 'interaction.created', { interaction });
    },
    more: async ({ resource }) => {
      const view = await viewInteraction(service.engine, resource);
      const steps = view === null ? [] : toWireSteps(view.steps, media).filter(isRecord);
      return steps
        .slice(written.steps)
        .map((step) => writeStep(written, step))
        .join('');
    },
    end: async (found) => {
      const { operation } = found;
      if (operation.state !== 'completed' && operation.errorCode !== 'cancelled')
        return writeFailure(written, errorOfOperation(operation));
      const view = operation.state === 'completed' ? await viewInteraction(service.engine, found.resource) : null;
      const receipt = { [service.brand]: receiptOf(operation) };
      const interaction = { ...interactionHead(found), ...present('status', view?.stage), ...receipt };
      return writeEvent(written, 'interaction.completed', { interaction });
    },
    alive: () => writeAlive(id),
    fail: (error) => writeFailure(written, error),
  };
};

/** The events of an interaction, behind the one of this id where there is one. */
export const followGoogleInteraction = (
  service: Service,
  access: Access,
  found: FoundResource,
  { replayed, skipped }: { readonly replayed: boolean; readonly skipped: number },
): GatewayResponse => ({
  status: 200,
  headers: streamHeaders(found.operation.id, replayed),
  body: followInteraction({ service, access, skipped }, found, interactionWriter(service, found)),
});

const eventId = /^\d{1,9}$/;

/** How many events a client has that goes on from one; 0 where it names none. */
export const eventsSeen = (request: GatewayRequest): number => {
  const last = new URLSearchParams(request.query).get('last_event_id');
  if (last === null || last === '') return 0;
  if (!eventId.test(last))
    throw new GatewayError('invalid_request', {
      detail: 'The field last_event_id is no id of an event; accepted is the event_id of one of this interaction.',
    });
  return Number(last) + 1;
};
