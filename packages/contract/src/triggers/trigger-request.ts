import { z } from 'zod';
import { GatewayError, isGatewayError } from '../http/gateway-error.ts';
import {
  InteractionRequestBody,
  parseInteractionRequest,
  type InteractionRequest,
} from '../resources/interaction/interaction-request.ts';
import { JsonRecord } from '../json/json-record.ts';
import { keptText } from '../fields/kept-text.ts';
import { limits, triggerBounds } from '../limits.ts';
import { parseStrictBody } from '../http/strict-body.ts';

const { displayNameCharsMax } = limits.trigger;
const { scheduleCharsMax, timeZoneCharsMax } = triggerBounds;

// triggers:body:default-time-zone
/** Where the clocks of a trigger are that names no place. */
export const defaultTimeZone = 'America/Sao_Paulo';

const fields = {
  display_name: keptText(displayNameCharsMax, 0).exactOptional(),
  schedule: z
    .string()
    .min(1)
    .max(scheduleCharsMax)
    .meta({
      description: 'Minute, hour, day of month, month, weekday.',
      examples: ['0 9 * * MON-FRI'],
    }),
  time_zone: z
    .string()
    .min(1)
    .max(timeZoneCharsMax)
    .exactOptional()
    .meta({ default: defaultTimeZone, description: 'An IANA name.' }),
};

/** The body of POST /triggers as the contract publishes it. `parseTriggerRequest` checks more than a schema can. */
export const TriggerRequestBody = z.strictObject({ ...fields, interaction: InteractionRequestBody });

const TriggerFields = z.strictObject({ ...fields, interaction: JsonRecord });

/** A checked trigger, but for the grammar of its schedule and the name of its time zone. */
export interface TriggerRequest {
  readonly displayName: string | null;
  readonly schedule: string;
  readonly timeZone: string;
  /** As it was sent. */
  readonly sent: JsonRecord;
  readonly interaction: InteractionRequest;
}

/** Reads the interaction of a trigger, and names its fields by their place in the trigger. */
const parseNested = (interaction: JsonRecord): InteractionRequest => {
  try {
    return parseInteractionRequest(interaction);
  } catch (cause) {
    if (!isGatewayError(cause) || cause.detail === undefined) throw cause;
    throw new GatewayError(cause.code, {
      detail: cause.detail.replace(/^The field /, 'The field interaction.'),
      cause,
    });
  }
};

/** Reads the parsed JSON body of POST /triggers. Throws nothing but a `GatewayError` whose message names the field. */
export const parseTriggerRequest = (body: unknown): TriggerRequest => {
  const { display_name, schedule, time_zone, interaction: sent } = parseStrictBody(TriggerFields, body);
  return {
    displayName: display_name ?? null,
    schedule,
    timeZone: time_zone ?? defaultTimeZone,
    sent,
    interaction: parseNested(sent),
  };
};
