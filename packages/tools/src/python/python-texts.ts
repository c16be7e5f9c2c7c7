/** Python that makes `asyncio` work without a browser, and takes the ways to JavaScript off the shelf. */
export const prologue = `
import asyncio, os, sys, time

# The source of randomness is opened at its first use, which later on could not be.
os.urandom(1)

class _Idle:
    def select(self, timeout=None):
        if timeout is None:
            raise RuntimeError('every task waits for another one')
        if timeout > 0:
            time.sleep(timeout)
        return ()

class _Loop(asyncio.BaseEventLoop):
    def __init__(self):
        super().__init__()
        self._selector = _Idle()
    def _process_events(self, events):
        pass
    def _write_to_self(self):
        pass

class _Policy(asyncio.events._BaseDefaultEventLoopPolicy):
    _loop_factory = _Loop

asyncio._set_running_loop(None)
asyncio.events._set_event_loop_policy(_Policy())
asyncio.run = asyncio.runners.run
sys.meta_path[:] = [finder for finder in sys.meta_path if 'pyodide' not in type(finder).__module__]
for name in [name for name in sys.modules if name.split('.')[0] in ('js', 'pyodide', 'pyodide_js', '_pyodide', '_pyodide_core')]:
    del sys.modules[name]
sys.stdout.reconfigure(line_buffering=True)
sys.path.insert(0, '/work')
`;

/** Runs the program as a script is run, and returns whether it came to its own end. */
export const programRunner = `
def _run():
    import linecache, sys, traceback
    from builtins import BaseException, SystemExit, compile, dict, exec, int, open
    with open('/main.py', encoding='utf-8') as file:
        source = file.read()
    main = type(sys)('__main__')
    main.__file__ = 'main.py'
    sys.modules['__main__'] = main
    linecache.cache['main.py'] = (len(source), None, source.splitlines(True), 'main.py')
    ended = True
    try:
        exec(compile(source, 'main.py', 'exec', dont_inherit=True), main.__dict__)
    except SystemExit as leaving:
        ended = leaving.code in (None, 0)
        if not ended and not isinstance(leaving.code, int):
            print(leaving.code, file=sys.stderr)
    except BaseException as fault:
        ended = False
        traceback.print_exception(type(fault), fault, fault.__traceback__ and fault.__traceback__.tb_next)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            ended = False
    return ended
_run()
`;
