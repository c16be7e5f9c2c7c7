import { expect, test } from 'vitest';
import { checkEmbeddingModel, parseFileSearchStore, parseImportFile, parseUploadToStore } from './file-search-body.ts';

test('a store has a name and a model in either spelling', () => {
  expect(parseFileSearchStore({ displayName: 'Shelf', embedding_model: 'models/a' })).toEqual({
    displayName: 'Shelf',
    embeddingModel: 'a',
  });
  expect(parseFileSearchStore({})).toEqual({ displayName: null, embeddingModel: undefined });
});

test('a store takes the model that the gateway chose, and no other', () => {
  expect(() => checkEmbeddingModel('a', 'a')).not.toThrow();
  expect(() => checkEmbeddingModel(undefined, 'a')).not.toThrow();
  expect(() => checkEmbeddingModel('b', 'a')).toThrow(/embeddingModel .*models\/a/);
});

test('a file is named by its id, with or without files/', () => {
  const id = '0190f3a0-0000-7000-8000-00000000000a';
  expect([parseImportFile({ fileName: `files/${id}` }), parseImportFile({ file_name: id.toUpperCase() })]).toEqual([
    id,
    id,
  ]);
  expect(() => parseImportFile({ fileName: 5 })).toThrow('fileName');
});

test.each(['customMetadata', 'chunkingConfig', 'custom_metadata'])('%s is refused by name', (name) => {
  const camel = name === 'custom_metadata' ? 'customMetadata' : name;
  expect(() => parseImportFile({ fileName: 'files/a', [name]: {} })).toThrow(`The field ${camel} is not supported`);
  expect(() => parseUploadToStore({ [name]: {} })).toThrow(`The field ${camel} is not supported`);
});

test('an upload says its name and its type, or nothing', () => {
  expect(parseUploadToStore({})).toEqual({ displayName: undefined, mimeType: undefined });
  expect(parseUploadToStore({ displayName: 'a.txt', mimeType: 'text/plain' })).toEqual({
    displayName: 'a.txt',
    mimeType: 'text/plain',
  });
  expect(() => parseUploadToStore({ mimeType: 5 })).toThrow('mimeType');
});
