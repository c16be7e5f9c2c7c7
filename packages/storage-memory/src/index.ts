export { createMemoryDisk, type MemoryDisk } from './memory-disk.ts';
export { memoryStorage, type MemoryStorageOptions } from './memory-storage.ts';
