import {
  respondsWhole,
  sendsInTime,
  replaysByEvents,
  finishesForOneThatLeaves,
  givesBackStates,
  reportsEndings,
} from './dialect-answers.ts';
import {
  failsBeforeFirstEvent,
  failsAfterFirstEvent,
  completesDebitLater,
  refusesCallers,
} from './dialect-failures.ts';
import { carriedMessagesCases } from './carried-messages-cases.ts';
import { carriedResponsesCases } from './carried-responses-cases.ts';
import { carriedWaitCases } from './carried-wait-cases.ts';
import { completionsCases } from './completions-cases.ts';
import { messagesWire, responsesWire, wireCase } from './dialect-wires.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { messagesCases } from './messages-cases.ts';
import { responsesCases } from './responses-cases.ts';

const ofMessages: readonly GatewayCase[] = [
  gatewayCase(
    'messages: responds whole, with usage and credits, and the record and a replay have the same bytes',
    wireCase(respondsWhole, messagesWire),
    messagesWire.settings,
  ),
  gatewayCase(
    'messages: sends events while the model still writes',
    wireCase(sendsInTime, messagesWire),
    messagesWire.settings,
  ),
  gatewayCase(
    'messages: replays a stream by its events, byte for byte',
    wireCase(replaysByEvents, messagesWire),
    messagesWire.settings,
  ),
  gatewayCase(
    'messages: finishes an answer for a client that leaves, and replays it whole',
    wireCase(finishesForOneThatLeaves, messagesWire),
    messagesWire.settings,
  ),
  gatewayCase(
    'messages: gives a model back its thoughts and the states of its calls, and nothing that another project sealed',
    wireCase(givesBackStates, messagesWire),
    messagesWire.settings,
  ),
  gatewayCase('messages: reports why an answer ended', wireCase(reportsEndings, messagesWire), messagesWire.settings),
  gatewayCase(
    'messages: fails as JSON before the first event',
    wireCase(failsBeforeFirstEvent, messagesWire),
    messagesWire.settings,
  ),
  gatewayCase(
    'messages: ends a stream that fails after its first event with an event that no client takes for success, and keeps the hold',
    wireCase(failsAfterFirstEvent, messagesWire),
    messagesWire.settings,
  ),
  gatewayCase(
    'messages: ends a stream that could not be debited with an error, and completes it later',
    wireCase(completesDebitLater, messagesWire),
    messagesWire.settings,
  ),
  gatewayCase(
    'messages: refuses a caller without credits, one without a key, and another body under the same key',
    wireCase(refusesCallers, messagesWire),
    messagesWire.settings,
  ),
];

const ofResponses: readonly GatewayCase[] = [
  gatewayCase(
    'responses: responds whole, with usage and credits, and the record and a replay have the same bytes',
    wireCase(respondsWhole, responsesWire),
    responsesWire.settings,
  ),
  gatewayCase(
    'responses: sends events while the model still writes',
    wireCase(sendsInTime, responsesWire),
    responsesWire.settings,
  ),
  gatewayCase(
    'responses: replays a stream by its events, byte for byte',
    wireCase(replaysByEvents, responsesWire),
    responsesWire.settings,
  ),
  gatewayCase(
    'responses: finishes an answer for a client that leaves, and replays it whole',
    wireCase(finishesForOneThatLeaves, responsesWire),
    responsesWire.settings,
  ),
  gatewayCase(
    'responses: gives a model back its thoughts and the states of its calls, and nothing that another project sealed',
    wireCase(givesBackStates, responsesWire),
    responsesWire.settings,
  ),
  gatewayCase(
    'responses: reports why an answer ended',
    wireCase(reportsEndings, responsesWire),
    responsesWire.settings,
  ),
  gatewayCase(
    'responses: fails as JSON before the first event',
    wireCase(failsBeforeFirstEvent, responsesWire),
    responsesWire.settings,
  ),
  gatewayCase(
    'responses: ends a stream that fails after its first event with an event that no client takes for success, and keeps the hold',
    wireCase(failsAfterFirstEvent, responsesWire),
    responsesWire.settings,
  ),
  gatewayCase(
    'responses: ends a stream that could not be debited with an error, and completes it later',
    wireCase(completesDebitLater, responsesWire),
    responsesWire.settings,
  ),
  gatewayCase(
    'responses: refuses a caller without credits, one without a key, and another body under the same key',
    wireCase(refusesCallers, responsesWire),
    responsesWire.settings,
  ),
];

/** The wires of other clients on the engine of this gateway: each keeps every rule of it. */
export const dialectCases: readonly GatewayCase[] = [
  ...ofMessages,
  ...ofResponses,
  ...messagesCases,
  ...responsesCases,
  ...completionsCases,
  ...carriedMessagesCases,
  ...carriedResponsesCases,
  ...carriedWaitCases,
];
