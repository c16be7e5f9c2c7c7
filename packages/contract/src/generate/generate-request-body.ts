import { z } from 'zod';
import { CompatGenerationConfig, StrictGenerationConfig } from './generate-config.ts';
import { StrictGeneratePart } from './generate-part.ts';
import {
  CompatGenerateTools,
  CompatSafetySettings,
  CompatToolConfig,
  StrictGenerateTools,
  StrictSafetySettings,
  StrictToolConfig,
} from './generate-tool.ts';
import { generateBounds } from '../limits.ts';

const { contentsMax, partsPerContentMax, textFieldCharsMax } = generateBounds;

/** `caches/<cache_id>`. */
const cachedContent = z.string().min(1).max(textFieldCharsMax).exactOptional();

/** Everything but the contents and the system instruction, as the contract writes it. */
export const StrictGenerateFields = z.strictObject({
  tools: StrictGenerateTools.exactOptional(),
  toolConfig: StrictToolConfig.exactOptional(),
  cachedContent,
  generationConfig: StrictGenerationConfig.exactOptional(),
  safetySettings: StrictSafetySettings.exactOptional(),
});

/** How a call is served, as Google's clients name it; `standard` and `unspecified` cost what a call without it costs. */
const serviceTier = z.enum(['unspecified', 'flex', 'standard', 'priority']);

// generate:compat:google
/** The same with what the compatibility option adds: honoured, never silently dropped. */
export const CompatGenerateFields = z.strictObject({
  tools: CompatGenerateTools.exactOptional(),
  toolConfig: CompatToolConfig.exactOptional(),
  cachedContent,
  generationConfig: CompatGenerationConfig.exactOptional(),
  safetySettings: CompatSafetySettings.exactOptional(),
  serviceTier: serviceTier.exactOptional(),
});
export type GenerateFields = z.infer<typeof CompatGenerateFields>;

/** The body of both generateContent routes as the contract publishes it. `parseGenerateRequest` checks more than a schema can. */
export const GenerateRequestBody = z.strictObject({
  contents: z
    .array(
      z.strictObject({
        role: z.enum(['user', 'model']),
        parts: z.array(StrictGeneratePart).min(1).max(partsPerContentMax),
      }),
    )
    .min(1)
    .max(contentsMax),
  systemInstruction: z
    .strictObject({
      parts: z
        .array(z.strictObject({ text: z.string().min(1) }))
        .min(1)
        .max(partsPerContentMax),
    })
    .exactOptional(),
  ...StrictGenerateFields.shape,
});
export type GenerateRequestBody = z.infer<typeof GenerateRequestBody>;
