import { z } from 'zod';
import { FunctionName } from '../../fields/function-name.ts';
import { JsonRecord } from '../../json/json-record.ts';
import { interactionBounds } from '../../limits.ts';

const { declarationsMax, storesMax, allowedToolsMax, headersMax, textFieldCharsMax, headerCharsMax, urlCharsMax } =
  interactionBounds;

const FunctionTool = z.strictObject({
  type: z.literal('function'),
  name: FunctionName,
  description: z.string().exactOptional(),
  /** JSON Schema of the arguments. */
  parameters: JsonRecord.exactOptional(),
});
const PlainTool = z.strictObject({ type: z.enum(['web_search', 'code_execution', 'url_context']) });
const MapsTool = z.strictObject({
  type: z.literal('maps'),
  latitude: z.number().min(-90).max(90).exactOptional(),
  longitude: z.number().min(-180).max(180).exactOptional(),
});
const FileSearchTool = z.strictObject({
  type: z.literal('file_search'),
  stores: z.array(z.string().min(1).max(textFieldCharsMax)).min(1).max(storesMax),
});
const ComputerUseTool = z.strictObject({ type: z.literal('computer_use'), environment: z.literal('browser') });

/** Characters of a header's name as HTTP has them. */
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/);
/** Printable ASCII: nothing that could end a header and begin another. */
const headerValue = z
  .string()
  .max(headerCharsMax)
  .regex(/^[\t\x20-\x7e]*$/);
const McpServerTool = z.strictObject({
  type: z.literal('mcp_server'),
  url: z.string().min(1).max(urlCharsMax),
  name: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,64}$/)
    .exactOptional(),
  allowed_tools: z.array(z.string().min(1).max(textFieldCharsMax)).min(1).max(allowedToolsMax).exactOptional(),
  headers: z
    .record(headerName, headerValue)
    .refine((headers) => Object.keys(headers).length <= headersMax)
    .meta({ maxProperties: headersMax })
    .exactOptional(),
});

/** A tool that the host of the service has under a name of its own. */
const HostTool = z.strictObject({ type: z.literal('host_tool'), name: FunctionName });

// interactions:tools:built-in
/** The tools of an interaction by the `type` that tells them apart. */
export const InteractionTool = z.discriminatedUnion('type', [
  FunctionTool,
  PlainTool,
  MapsTool,
  FileSearchTool,
  ComputerUseTool,
  McpServerTool,
  HostTool,
]);
/** A tool as the contract writes it. */
export type InteractionTool = Readonly<z.infer<typeof InteractionTool>>;

export const InteractionTools = z.array(InteractionTool).max(declarationsMax);
