import { fieldPath, GatewayError, readAt, type MediaData, type Path } from '@tollgate/contract';
import { imageTypeOf } from '../../media-json/image-type.ts';
import { mediaPart } from '../../media-json/media-part.ts';
import {
  createConversation,
  ready,
  textPart,
  type OpenConversation,
  type OpenPart,
  type References,
} from '../generation/open-turns.ts';
import { Message } from './chat-body.ts';

/** An image of which the client tells no type. */
export const imagePart = (data: MediaData, path: Path): OpenPart => {
  const type = imageTypeOf(data);
  if (type === undefined)
    throw new GatewayError('invalid_image', {
      detail: `The field ${fieldPath(path)} is no complete image in base64; accepted are PNG, JPEG and WebP.`,
    });
  return ready(mediaPart(type.mimeType, data));
};

/** A call without a result so far. */
interface OpenCall {
  readonly id: string;
  readonly name: string;
}

/** Calls of a conversation while it is read. Clients that know no ids name the function of a result, or nothing. */
const createCalls = ({ call, result }: References) => {
  let open: readonly OpenCall[] = [];
  const idOf = ({ tool_call_id: id, tool_name: name }: Message): string => {
    if (typeof id === 'string') return id;
    const found = open.find((each) => typeof name !== 'string' || each.name === name);
    return found?.id ?? '';
  };
  return {
    propose: ({ tool_calls: calls }: Message, place: number): readonly OpenPart[] =>
      (calls ?? []).map(({ id, function: { name, arguments: input } }, index) => {
        const known = id ?? `call_${place}_${index}`;
        open = [...open, { id: known, name }];
        return call(known, name, JSON.stringify(input ?? {}));
      }),
    answer: (message: Message, path: Path): readonly OpenPart[] => {
      const id = idOf(message);
      open = open.filter((each) => each.id !== id);
      return [result(id, message.content ?? '', path)];
    },
  };
};

/** Reads a conversation. Thoughts of earlier turns have no state here, and are left out. */
export const readMessages = (values: readonly unknown[]): OpenConversation => {
  const conversation = createConversation();
  const calls = createCalls(conversation.references);
  for (const [index, value] of values.entries()) {
    const path = ['messages', index];
    const message = readAt(Message, value, path);
    const { content, images } = message;
    const said = textPart(content ?? '');
    switch (message.role) {
      case 'system':
        conversation.instruct(content ?? '');
        break;
      case 'user':
        conversation.say('user', [
          ...said,
          ...(images ?? []).map((data, at) => imagePart(data, [...path, 'images', at])),
        ]);
        break;
      case 'assistant':
        conversation.say('model', [...said, ...calls.propose(message, index)]);
        break;
      case 'tool':
        conversation.say('user', calls.answer(message, path));
        break;
    }
  }
  return conversation.end('messages');
};
