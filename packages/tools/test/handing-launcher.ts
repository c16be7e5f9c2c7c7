// Starts a command as a careless host does: with a file and a socket open in descriptors far above the standard ones. Once the
// command has written something, notes what it has open above those, a line each, and hands its output on.
// Arguments: the file to hand down, where to note, then the command.
import { spawn } from 'node:child_process';
import { openSync, readFileSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';

const [handed = '', notes = '', command = '', ...args] = process.argv.slice(2);
const descriptorHanded = 39;
const between = Array.from({ length: descriptorHanded - 3 }, () => 'ignore' as const);
const child = spawn(command, args, {
  stdio: ['inherit', 'pipe', 'inherit', ...between, openSync(handed, 'r'), 'pipe'],
});

/** The number, whether the process opened it itself, since what it was started with lacks the flag of that, and what it is. */
const openFiles = (folder: string): readonly string[] =>
  readdirSync(`${folder}/fd`)
    .filter((name) => Number(name) > 2)
    .map((name) => {
      const isOwn = /^flags:\s*\d*[2367]\d{6}$/mu.test(readFileSync(`${folder}/fdinfo/${name}`, 'utf8'));
      return `${name} ${isOwn ? 'own' : 'handed'} ${readlinkSync(`${folder}/fd/${name}`)}`;
    });

const { stdout } = child;
if (stdout === null) throw new Error('started without a pipe');
stdout.once('data', () => writeFileSync(notes, openFiles(`/proc/${child.pid}`).join('\n')));
stdout.pipe(process.stdout);
