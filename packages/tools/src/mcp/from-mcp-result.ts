import type { CallToolResult } from '@modelcontextprotocol/client';

type Content = CallToolResult['content'][number];

/** What a model can read of one piece of a result; of what it cannot, that it was there. */
const textOf = (content: Content): string => {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'image':
    case 'audio':
      return `[${content.type}: ${content.mimeType}]`;
    case 'resource':
      return 'text' in content.resource ? content.resource.text : `[resource: ${content.resource.uri}]`;
    case 'resource_link':
      return `[resource: ${content.uri}]`;
  }
};

/** The result of a tool as one text: what is structured as JSON, else every piece of it; cut to a length. */
export const fromMcpResult = ({ content, structuredContent }: CallToolResult, charactersMax: number): string => {
  const text = structuredContent === undefined ? content.map(textOf).join('\n') : JSON.stringify(structuredContent);
  if (text.length <= charactersMax) return text.toWellFormed();
  return `${text.slice(0, charactersMax).toWellFormed()}\n[The rest is left out.]`;
};
