import { z } from 'zod';
import { parseStrictBody } from './strict-body.ts';

// webhooks:patch:enabled-only, triggers:patch:enabled
/** The body by which a webhook or a trigger is paused and resumed. */
export const EnabledPatchBody = z.strictObject({ enabled: z.boolean() });

/** Reads the parsed JSON body of a pause or a resumption. Throws nothing but a `GatewayError` whose message names the field. */
export const parseEnabledPatch = (body: unknown): boolean => parseStrictBody(EnabledPatchBody, body).enabled;
