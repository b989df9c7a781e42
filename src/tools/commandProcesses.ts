import { setTimeout as delay } from 'node:timers/promises';
import { listProcesses, treeOf, type ProcessInfo } from './processTree';

/** Time between two looks at what a command has started: the first, and the longest; ms. */
const LOOKS = { first: 25, longest: 1_000 };

/**
 * Follows what a command starts while it runs. A daemon leaves group, session and parent; what it was
 * before is remembered, and on Linux its environment is marked. What takes all of that off between
 * two looks is not found.
 */
export class CommandProcesses {
  #known = new Map<number, string>();

  /** `leader` began the group; `mark` is the name of a variable in the environment of all. */
  constructor(
    private readonly leader: number,
    private readonly mark: string,
  ) {}

  /** Looks until the command has ended: often at first, when daemons leave, then once a second. */
  async follow(ended: AbortSignal): Promise<void> {
    for (let pause = LOOKS.first; ; pause = Math.min(2 * pause, LOOKS.longest)) {
      await delay(pause, undefined, { signal: ended, ref: false }).catch(() => {});
      if (ended.aborted) return;
      const processes = await listProcesses().catch(() => undefined);
      // What cannot be listed is reported when it is to be ended.
      if (processes === undefined) return;
      this.#remember(processes);
    }
  }

  /** What is left of the command. */
  async left(): Promise<readonly number[]> {
    return this.#remember(await listProcesses(this.mark));
  }

  #remember(processes: readonly ProcessInfo[]): readonly number[] {
    const tree = treeOf(this.leader, processes, this.#known);
    const ids = new Set(tree);
    const found = processes.filter(({ pid }) => ids.has(pid));
    this.#known = new Map(found.map(({ pid, started }) => [pid, started]));
    return tree;
  }
}
