import { beforeAll, describe, expect, test } from 'vitest';
import { descriptors, finding, realms } from '../../test/python-attacks.ts';
import { createPythonSandbox } from './python-sandbox.ts';

/** A walk over everything takes a second or two, and far longer on a machine that does something else as well. */
const patienceMs = 300_000;
const sandbox = createPythonSandbox({ processesMax: 2, runMs: patienceMs });

beforeAll(() => sandbox.prepare());

const outputOf = async (code: string): Promise<string> => (await sandbox.run({ code })).output;

describe('a program', () => {
  test('reaches no object that is not of its own realm, whatever property it follows', async () => {
    // The values of two properties mean an error to the interpreter, and the rest of those left out are texts only.
    const output = await outputOf(`${realms}
names, symbols = api.constructor.getOwnPropertyNames, api.constructor.getOwnPropertySymbols
describe, tag = api.constructor.getOwnPropertyDescriptor, home.toString.call
seen = api._api.errorConstructors.constructor.new()
has, put = seen.has, seen.set
dull = {'error', 'novalue', 'length', 'name', 'sig', 'lockfile', 'lockfile_info', 'lockfile_packages', '_import_name_to_package_name'}
todo, walked, roots = [], 0, 0
def take(value):
    if 'pyodide.ffi.Js' in str(type(value)) and not has(value):
        put(value, True)
        todo.append(value)
for proxy in proxies(): take(proxy)
while todo:
    thing = todo.pop()
    walked += 1
    try:
        take(up(thing))
        if tag(thing).endswith('Array]') and tag(thing) != '[object Array]': continue
        keys = list(names(thing))
        if 'hasOwnProperty' in keys: roots += 1
        for key in [*(key for key in keys if key not in dull), *symbols(thing)]:
            property = describe(thing, key)
            if hasattr(property, 'value'): take(property.value)
            else:
                take(property.get)
                take(property.set)
    except BaseException: pass
print(walked > 20_000, roots)`);
    expect(output).toBe('True 1\n');
  });

  test('gets no object from outside where the stack ends within a function of Node', async () => {
    // Each array asks the one in it for its text, down to the leaf, which has its stack put into words where the stack is nearly full.
    const output = await outputOf(`${realms}
error = up(api._api.errorConstructors.get('RangeError'))
for owner in (error, function.prototype):
    try: owner.stackTraceLimit = 10
    except BaseException: pass
leaf = api.constructor.new()
array = up(api.constructor.keys(api)).constructor
chain = [array.of(leaf)]
for depth in range(4_000): chain.append(array.of(chain[-1]))
def overflow(depth):
    try: chain[depth].toString()
    except BaseException as fault: return fault
def limit(low, high):
    while high - low > 1:
        middle = (low + high) // 2
        if overflow(middle) is None: low = middle
        else: high = middle
    return low
faults = 0
for name in ('jsStackTrace', 'getCallstack', '_emscripten_get_now', '_getentropy'):
    leaf.toString = getattr(api._module, name, None)
    edge = limit(1_000, 3_999)
    for depth in range(edge - 20, edge + 20):
        fault = overflow(depth)
        if fault is None: continue
        faults += 1
        if is_outside(fault): print('OUTSIDE', name, depth, fault)
print(faults > 0)`);
    expect(output).toBe('True\n');
  });

  test.each([
    ['by the constructor of functions', 'function("return 1")()'],
    ['by the constructor of asynchronous functions', 'api.runPythonAsync.constructor("return 1")()'],
    ['by a C function', `api._module._emscripten_run_script(api._module.stringToNewUTF8('globalThis.x = 1'))`],
  ])('compiles no JavaScript %s', async (_, expression) => {
    const output = await outputOf(`${finding}
try: print('compiled', ${expression})
except BaseException as fault: print('EvalError' in str(fault))`);
    expect(output).toBe('True\n');
  });

  test('reads no descriptor of its process', async () => {
    const output = await outputOf(`${descriptors}
bytes_read = 0
for descriptor in range(64):
    try: bytes_read += operations.read(stream(descriptor), to_js(bytearray(100)), 0, 100, None)
    except BaseException: pass
print(bytes_read)`);
    expect(output).toBe('0\n');
  });

  test('keeps the form of text in every encoding that the interpreter knows', async () => {
    const code = `
import codecs
text = 'é𝄞\\ufeff'
for name in ('utf-8', 'utf-16', 'utf-32', 'utf-8-sig'): print(text.encode(name).decode(name) == text)
print('é'.encode('latin-1'), b'\\xff'.decode('utf-8', 'replace') == '\\ufffd')
try: b'\\xff'.decode('utf-8')
except UnicodeDecodeError: print('refused')
import random, secrets, time, uuid
print(len({secrets.token_hex(16) for _ in range(100)}), uuid.uuid4() != uuid.uuid4(), time.time() > 1_700_000_000, time.perf_counter() > 0)`;
    expect(await outputOf(code)).toBe("True\nTrue\nTrue\nTrue\nb'\\xe9' True\nrefused\n100 True True True\n");
  });
});
