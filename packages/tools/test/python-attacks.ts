/** Python that finds the ways into JavaScript which a program has: everything of it that the interpreter itself still holds. */
export const finding = `
import gc
def proxies():
    found = []
    for thing in gc.get_objects():
        for other in (thing, *gc.get_referents(thing)):
            if 'pyodide.ffi.Js' in str(type(other)) and not any(other is known for known in found):
                found.append(other)
    return found
api = next(proxy for proxy in proxies() if hasattr(proxy, 'mountNodeFS'))
function = api.runPython.constructor
`;

/** Python that reads and writes descriptors of the process by the file system of the interpreter. */
export const descriptors = `${finding}
from _pyodide_core import to_js
operations = api._module.FS.filesystems.NODEFS.stream_ops
def stream(descriptor):
    return api.constructor.fromEntries(to_js([['nfd', descriptor]]))
`;

/** Python that knows an object of another realm by what it inherits from in the end. */
export const realms = `${finding}
home = api.constructor.prototype
up = api.constructor.getPrototypeOf
def is_outside(thing):
    while 'JsNull' not in str(type(up(thing))): thing = up(thing)
    return thing != home
`;
