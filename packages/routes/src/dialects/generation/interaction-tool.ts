import { checkInteractionTools, InteractionTool, readAt, type Path } from '@tollgate/contract';

/** A tool in the contract's words, which a dialect made of its own: what the contract refuses of it is refused at its place. */
export const interactionTool = (wire: object, path: Path): InteractionTool => {
  const tool = readAt(InteractionTool, wire, path);
  checkInteractionTools([tool]);
  return tool;
};
