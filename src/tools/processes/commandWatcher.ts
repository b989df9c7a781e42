import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';

/** A process that ends a command when this process ends without doing so. */
export interface Watcher {
  /** The command has started; `leader` is the first process of its group. */
  watch(leader: number): void;
  /** The command has ended. */
  dismiss(): void;
}

/**
 * Reads two lines from a pipe that only this process holds, so that even `kill -9` ends it: the group
 * of the command, and that it has ended. On Linux the command's processes outside its group are found
 * by the mark in their environment, in several rounds, since one may start another meanwhile. A
 * placeholder stays as long as a command of another process needs it.
 */
const WATCH = `if read -r group; then
  read -r line && exit
  kill -TERM -- "-$group"
  sleep 1
  kill -KILL -- "-$group"
fi
for round in 1 2 3 4 5; do
  found=
  for at in /proc/[0-9]*; do grep -q "$1=" "$at/environ" && kill -KILL "\${at#/proc/}" && found=1; done
  [ -z "$found" ] && break
  sleep 1
done
shift
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

/** A name for a variable that marks all processes of one command. */
export function commandMark(): string {
  return `PLIMSOLL_COMMAND_${randomUUID().replaceAll('-', '')}`;
}

/**
 * Starts a watcher before the command: this process may be killed at any moment. `leftovers` are placeholders and
 * their list.
 */
export function startWatcher(mark: string, leftovers: readonly string[]): Watcher {
  if (process.platform === 'win32') return { watch: () => undefined, dismiss: () => undefined };
  const child = spawn('/bin/sh', ['-c', WATCH, 'sh', mark, ...leftovers], {
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
  return {
    watch: (leader) => void child.stdin.write(`${leader}\n`),
    dismiss: () => child.stdin.end('\nended\n'),
  };
}
