import { z } from 'zod';

/** What is used here of the JSON Schema of a body. */
export interface JsonShape {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonShape>>;
  readonly required?: readonly string[];
  readonly items?: JsonShape;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly anyOf?: readonly JsonShape[];
  readonly oneOf?: readonly JsonShape[];
  readonly additionalProperties?: boolean | JsonShape;
  /** The contract describes some fields by a schema of their own. */
  readonly override?: JsonShape;
}

/** The shape of the bodies that a schema of the contract accepts. */
export const shapeOf = (schema: z.ZodType): JsonShape =>
  // Sound: JSON Schema holds these members with these types, and others that are not checked.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonShape;

/** The shape itself, where the contract describes it beside. */
export const plainShape = (shape: JsonShape): JsonShape =>
  shape.override === undefined ? shape : plainShape(shape.override);

/** The alternatives of a union; a shape that is none is its only one. */
export const branchesOf = (shape: JsonShape): readonly JsonShape[] => {
  const plain = plainShape(shape);
  const branches = plain.anyOf ?? plain.oneOf;
  return branches === undefined ? [plain] : branches.flatMap(branchesOf);
};
