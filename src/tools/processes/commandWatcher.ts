import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** A process that ends a command when this process ends without doing so. */
export interface Watcher {
  /** The command has ended. */
  dismiss(): void;
}

/**
 * Reads a line from a pipe that only this process holds, so that even `kill -9` ends it. On Linux the
 * command's processes outside its group are found by the mark in their environment.
 */
const WATCH = `read -r line && exit
kill -TERM -- "-$1"
sleep 1
kill -KILL -- "-$1"
for at in /proc/[0-9]*; do grep -q "$2=" "$at/environ" && kill -KILL "\${at#/proc/}"; done
shift 2
for path; do
  case "$path" in */plimsoll-held-*) rm -f "$path" ;; esac
  if [ -d "$path" ]; then rmdir "$path"
  elif [ "$(cat "$path")" = . ] || [ ! -s "$path" ]; then rm -f "$path"; fi
done`;

/** Starts a watcher. `leader` started the command's group; `leftovers` are placeholders and their list. */
export function watchCommand(leader: number, mark: string, leftovers: readonly string[]): Watcher {
  if (process.platform === 'win32') return { dismiss: () => undefined };
  const child = spawn('/bin/sh', ['-c', WATCH, 'sh', `${leader}`, mark, ...leftovers], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Without a watcher the command runs all the same.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return { dismiss: () => child.stdin.end('ended\n') };
}
