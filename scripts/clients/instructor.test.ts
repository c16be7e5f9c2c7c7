import createInstructor from '@instructor-ai/instructor';
import OpenAI from 'openai';
import { expect } from 'vitest';
import { z } from 'zod/v3';
import { describeClient, works, type Feature } from '../../test/clients/client-table.ts';
import { boundModel, type RunningGateway } from '../../test/clients/running-gateway.ts';

const City = z.object({ name: z.string(), people: z.number() });
const faro = { name: 'Faro', people: 5 };
const asJson = `[[sandbox: json ${JSON.stringify(faro)}]]`;
const asCall = `[[sandbox: tool City ${JSON.stringify(faro)}]]`;
const modes = [
  ['TOOLS', asCall],
  ['FUNCTIONS', asCall],
  ['JSON', asJson],
  ['JSON_SCHEMA', asJson],
  ['MD_JSON', `[[sandbox: echo ${JSON.stringify(faro)}]]`],
] as const;

const features = (world: () => RunningGateway): readonly Feature[] =>
  modes.map(([mode, content]) =>
    works(`the mode ${mode}`, async () => {
      const client = new OpenAI({ baseURL: world().baseUrl, apiKey: world().key });
      // It is written for an earlier version of the client and of zod, of which nothing here makes a difference.
      const instructor = createInstructor({ client: client as never, mode });
      const found: unknown = await instructor.chat.completions.create({
        model: boundModel,
        messages: [{ role: 'user', content }],
        response_model: { schema: City as never, name: 'City' },
        max_retries: 0,
      });
      expect(found).toMatchObject(faro);
    }),
  );

describeClient({ name: '@instructor-ai/instructor', manifest: new URL('package.json', import.meta.url), features });
