import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** A process that ends a command when this process ends without doing so. */
export interface Watcher {
  /** The command has ended. */
  dismiss(): void;
}

/**
 * Reads a line from a pipe that only this process holds, so that even `kill -9` ends it. On Linux the
 * command's processes outside its group are found by the mark in their environment. A placeholder stays as long
 * as a command of another process needs it.
 */
const WATCH = `read -r line && exit
kill -TERM -- "-$1"
sleep 1
kill -KILL -- "-$1"
for at in /proc/[0-9]*; do grep -q "$2=" "$at/environ" && kill -KILL "\${at#/proc/}"; done
shift 2
for path; do
  case "$path" in */plimsoll-held-*) rm -f "$path"; lists="\${path%/*}" ;; esac
done
needed() {
  for list in "$lists"/plimsoll-held-*; do
    pid="\${list##*/plimsoll-held-}"
    pid="\${pid#*-}"
    kill -0 "\${pid%%-*}" && grep -qF "\\"$1\\"" "$list" && return
  done
  return 1
}
for path; do
  if needed "$path"; then continue; fi
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
