import dgram from 'node:dgram';
import dns from 'node:dns';
import fs from 'node:fs';
import { registerHooks } from 'node:module';
import net from 'node:net';
import vm from 'node:vm';

/** What stays of the globals: the language itself, and what reads and writes text. */
const keptGlobals = new Set(
  `AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date
  DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array
  Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set
  SharedArrayBuffer String SuppressedError Symbol SyntaxError TextDecoder TextEncoder TypeError URIError Uint16Array
  Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly decodeURI decodeURIComponent encodeURI
  encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined unescape`.split(/\s+/u),
);

const refuse = (): never => {
  throw new Error('This is not available to programs');
};

const refuseAll = (owner: object): void => {
  for (const key of Reflect.ownKeys(owner)) {
    const property = Reflect.getOwnPropertyDescriptor(owner, key);
    if (key === 'constructor' || typeof property?.value !== 'function') continue;
    if (property.configurable !== true && property.writable !== true) continue;
    Reflect.defineProperty(owner, key, { value: refuse, writable: false, configurable: false });
  }
};

const isObject = (value: unknown): value is object =>
  typeof value === 'function' || (typeof value === 'object' && value !== null);

/** The objects that every other object inherits from: those with a name, and those that are reached through a value only. */
const intrinsics = (): readonly object[] => {
  const named = Array.from(keptGlobals, (name): unknown => Reflect.get(globalThis, name));
  const iterators = [[], new Map(), new Set(), ''].map((value) => Reflect.getPrototypeOf(value[Symbol.iterator]()));
  const unnamed = [(async () => undefined).constructor, Reflect.getPrototypeOf(Uint8Array), ...iterators];
  return [...named, ...unnamed]
    .flatMap((value): readonly unknown[] => (isObject(value) ? [value, Reflect.get(value, 'prototype')] : []))
    .filter(isObject)
    .filter((value) => value !== globalThis);
};

/**
 * The second wall, should a program find a way out of its realm into this one: takes the network, files, descriptors, other
 * programs, the loading of code and the process itself away from this realm, and makes the objects of the language unchangeable,
 * so that none of ours can be made to show what it holds. Code that needs one of these functions takes it before.
 */
export const lock = (): void => {
  const prototypes = [net.Socket, net.Server, dgram.Socket, dns.Resolver].map(({ prototype }): object => prototype);
  for (const owner of [...prototypes, dns.promises, fs.promises, net, dgram, dns, fs, vm]) refuseAll(owner);
  registerHooks({ resolve: refuse, load: refuse });
  refuseAll(process);
  refuseAll(Reflect.getPrototypeOf(process) ?? {});
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (keptGlobals.has(name)) continue;
    // Deleted first: to define one anew would load what it stands for.
    Reflect.deleteProperty(globalThis, name);
    Reflect.defineProperty(globalThis, name, { value: undefined, writable: false, configurable: false });
  }
  for (const object of intrinsics()) Object.freeze(object);
};
