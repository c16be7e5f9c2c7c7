/** Names of the forms of items that are no dialects of generations; those have their own. */
export const chatForm = 'openai-chat';
export const vectorForm = 'openai-embeddings';
