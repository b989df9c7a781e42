import fc from 'fast-check';
import type { ToolUse, ToolUseId } from '../../src/contextWindow/block';
import type { Budget } from '../../src/contextWindow/budget';
import type { NewEvent } from '../../src/contextWindow/event';
import type { PolicySettings } from '../../src/contextWindow/passes/rungs/policyInput';
import { POLICY_SETTINGS } from './agentSettings';
import { promptEvent, resultEvent } from './drawing';
import { Player } from './player';

/** The default settings, with excerpts. */
export const EXCERPTS_SETTINGS: PolicySettings = { ...POLICY_SETTINGS, excerptShare: 0.8 };

/** Events of a session that works on files. */
export type FileAction =
  | { readonly type: 'prompt' | 'pass' }
  | { readonly type: 'read'; readonly file: number; readonly from: number; readonly count: number }
  | { readonly type: 'edit'; readonly file: number; readonly line: number; readonly grows: number }
  | {
      readonly type: 'choose';
      readonly file: number;
      readonly lines?: { readonly first: number; readonly last: number };
      readonly choice: 'always' | 'never' | 'auto';
    };

const file = fc.nat(4);
const line = fc.integer({ min: 1, max: 110 });

export const fileActions: fc.Arbitrary<readonly FileAction[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.constant({ type: 'prompt' as const }) },
    { weight: 1, arbitrary: fc.constant({ type: 'pass' as const }) },
    {
      weight: 8,
      arbitrary: fc.record({
        type: fc.constant('read' as const),
        file,
        from: line,
        count: fc.integer({ min: 1, max: 90 }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        type: fc.constant('edit' as const),
        file,
        line,
        grows: fc.integer({ min: -1, max: 4 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record(
        {
          type: fc.constant('choose' as const),
          file,
          lines: fc.tuple(line, fc.nat(30)).map(([first, more]) => ({ first, last: first + more })),
          choice: fc.constantFrom('always' as const, 'never' as const, 'auto' as const),
        },
        { requiredKeys: ['type', 'file', 'choice'] },
      ),
    },
  ),
  { minLength: 8, maxLength: 40 },
);

/** A session that works on five files of 120 lines, whose passes show files. */
export class FileSession {
  readonly player: Player;
  readonly #files = Array.from({ length: 5 }, (_, at) =>
    Array.from({ length: 120 }, (__, index) => `const line${index + 1}of${at} = ${index};`),
  );
  #calls = 0;
  #edits = 0;

  constructor(budget: Budget, settings = EXCERPTS_SETTINGS) {
    this.player = new Player(budget, settings);
    const id = 'excerpts';
    this.player.append({
      type: 'sessionStarted',
      version: 3,
      sessionId: id,
      pinTaskAnchor: true,
    });
    this.player.append(promptEvent('Work on the files'));
  }

  static pathOf(at: number): string {
    return `src/part${at}.ts`;
  }

  /** The current lines of a file. */
  linesOf(at: number): readonly string[] {
    return this.#files[at] ?? [];
  }

  act(action: FileAction): void {
    const { player } = this;
    switch (action.type) {
      case 'prompt':
        player.append(promptEvent('Go on'));
        return;
      case 'pass':
        player.runPass('manual');
        return;
      case 'choose': {
        const { file: at, type: _type, ...choosing } = action;
        player.append({ type: 'fileChosen', path: FileSession.pathOf(at), ...choosing });
        return;
      }
      case 'read':
        this.#read(action.file, action.from, action.count);
        return;
      case 'edit':
        this.#edit(action.file, action.line, action.grows);
    }
  }

  #read(at: number, from: number, count: number): void {
    const lines = this.linesOf(at).slice(from - 1, from - 1 + count);
    const text = lines.map((each, index) => `${from + index}\t${each}`).join('\n');
    this.#step({ name: 'read_file', input: { path: FileSession.pathOf(at) } }, text);
  }

  #edit(at: number, line: number, grows: number): void {
    const lines = this.#files[at];
    const before = lines?.[line - 1];
    if (lines === undefined || before === undefined) return;
    this.#edits += 1;
    const added = Array.from(
      { length: Math.max(0, grows) },
      (_, more) => `// ${this.#edits} and ${more}`,
    );
    const after = [`${before} // ${this.#edits}`, ...added];
    const input = { path: FileSession.pathOf(at), old_text: before, new_text: after.join('\n') };
    lines.splice(line - 1, 1, ...after);
    this.#step({ name: 'edit_file', input }, 'Changed.');
  }

  #step(call: Omit<ToolUse, 'id'>, result: string): void {
    const id = `call-${++this.#calls}` as ToolUseId;
    const asked: NewEvent = {
      type: 'replyReceived',
      model: 'test',
      parts: [{ type: 'toolUse', use: { id, ...call } }],
      stopReason: 'tool_use',
      usage: { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 },
      durationMs: 1,
    };
    this.player.send();
    this.player.append(asked);
    this.player.append(resultEvent(id, result));
  }
}

/** Plays the actions one after another. */
export function playFiles(
  actions: readonly FileAction[],
  budget: Budget,
  settings = EXCERPTS_SETTINGS,
): Player {
  const session = new FileSession(budget, settings);
  for (const action of actions) session.act(action);
  return session.player;
}
