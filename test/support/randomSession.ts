import fc from 'fast-check';
import { returnNote } from '../../src/agent/returning';
import {
  isInWindow,
  type Block,
  type BlockId,
  type ReplyPart,
  type ToolUse,
  type ToolUseId,
  resultHandle,
} from '../../src/contextWindow/block';
import { withInputBudget, type Budget } from '../../src/contextWindow/budget';
import type { ContextWindow } from '../../src/contextWindow/window';
import { modeNote, MODES } from '../../src/contextWindow/mode';
import type { PolicySettings } from '../../src/contextWindow/passes/rungs/policyInput';
import type { NewEvent, SessionEvent } from '../../src/contextWindow/event';
import { POLICY_NAMES } from '../../src/contextWindow/plan';
import { EMPTY_WINDOW, applyEvent } from '../../src/contextWindow/fold';
import { toRequest } from '../../src/contextWindow/request/request';
import { standingRulesOf } from '../../src/contextWindow/standingRules/standingRules';
import { admit } from '../../src/contextWindow/truncate';
import type { CountRequest } from '../../src/offline/messagesApi';
import { offlineModels } from '../../src/offline/models';
import { checkThinking, signThinking } from '../../src/offline/rules/thinkingBinding';
import { POLICY_SETTINGS } from './agentSettings';
import { COUNTED_SHARE, estimate, Player, type ByHandChange, type Played } from './player';
import {
  choosing,
  fileCall,
  outsideChange,
  RandomFiles,
  type FileCall,
  type OutsideChange,
} from './randomFiles';

/** What may happen in a random session. */
export type Action =
  | { readonly type: 'prompt'; readonly chars: number }
  | {
      readonly type: 'step';
      readonly text: boolean;
      readonly thinking: boolean;
      /** Whether the server reports a count of the request; if absent, for every other one. */
      readonly counted?: boolean;
      readonly results: readonly {
        readonly chars: number;
        readonly isError: boolean;
        /** The file of the call; if absent, a call with a result of this many characters. */
        readonly on?: FileCall;
      }[];
    }
  | { readonly type: 'outside'; readonly change: OutsideChange }
  | {
      readonly type: 'choose';
      readonly file: number;
      readonly lines?: { readonly first: number; readonly last: number };
      readonly choice: 'always' | 'never' | 'auto';
    }
  | { readonly type: 'policy'; readonly policy: PolicySettings['policy'] }
  | { readonly type: 'stepDown' }
  | { readonly type: 'pin' | 'unpin'; readonly which: number }
  | { readonly type: 'scratchpad'; readonly chars: number; readonly byUser: boolean }
  | { readonly type: 'memory'; readonly chars: number }
  | { readonly type: 'return'; readonly chars: number; readonly files: number }
  | { readonly type: 'anchor' | 'undo'; readonly which: number }
  | { readonly type: 'pass'; readonly trigger: 'overflow' | 'manual' }
  | { readonly type: 'undoPrompt'; readonly which?: number }
  | { readonly type: 'byHand'; readonly how: ByHandChange; readonly which: number };

/** The note after thirty days, which mentions this many known files. */
function returnOf(count: number) {
  const files = Array.from({ length: count }, (_, file) => ({
    path: `src/${file}.ts`,
    how: 'written' as const,
    isKnown: true,
  }));
  const found = { ok: true, isAll: true, by: 'times', files } as const;
  return returnNote({ usedAt: 0, now: 30 * 86_400_000 }, found);
}

/** Two of three calls are about existing files; the others have any result. */
const result = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      chars: fc.constant(0),
      isError: fc.nat(9).map((of) => of === 9),
      on: fileCall,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      chars: fc.oneof(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 0, max: 12_000 })),
      isError: fc.boolean(),
    }),
  },
);

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constant('prompt' as const),
      chars: fc.integer({ min: 1, max: 3_000 }),
    }),
  },
  {
    weight: 48,
    arbitrary: fc.record({
      type: fc.constant('step' as const),
      text: fc.boolean(),
      thinking: fc.boolean(),
      // A reply without a call ends the turn, so most have some.
      results: fc.oneof(
        { weight: 1, arbitrary: fc.constant([]) },
        { weight: 9, arbitrary: fc.array(result, { minLength: 1, maxLength: 4 }) },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom('pin' as const, 'unpin' as const),
      which: fc.nat(40),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('scratchpad' as const),
      chars: fc.integer({ min: 0, max: 600 }),
      byUser: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('memory' as const),
      chars: fc.integer({ min: 1, max: 900 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('return' as const),
      chars: fc.integer({ min: 1, max: 300 }),
      files: fc.nat(20),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom('anchor' as const, 'undo' as const),
      which: fc.nat(40),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('pass' as const),
      trigger: fc.constantFrom('overflow' as const, 'manual' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('undoPrompt' as const), which: fc.nat(3) }),
  },
  {
    weight: 24,
    arbitrary: fc.record({
      type: fc.constant('byHand' as const),
      how: fc.constantFrom<ByHandChange[]>('exclude', 'clear', 'restore', 'recall', 'rewrite'),
      which: fc.nat(40),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('outside' as const), change: outsideChange }),
  },
  { weight: 6, arbitrary: choosing.map((chosen) => ({ type: 'choose' as const, ...chosen })) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('policy' as const),
      policy: fc.constantFrom(...POLICY_NAMES),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'stepDown' as const }) },
);

const MODEL = offlineModels.find(({ id }) => id === 'claude-sonnet-5-5')!;

/**
 * Signs a thought as the strict double would at the start of its reply, bound to what it has read.
 */
function signatureFor(window: ContextWindow, thought: string): string {
  const { system, tools, messages } = toRequest(window);
  const body = { model: MODEL.id, max_tokens: 500, system, tools, messages };
  const check = checkThinking(JSON.parse(JSON.stringify(body)) as CountRequest, MODEL);
  if (check.kind === 'refused') throw new Error(`The double refuses: ${check.message}`);
  return signThinking({
    ...check.end,
    model: MODEL.id,
    reply: thought,
    blocksInReply: 1,
    thinking: thought,
    tokens: 10,
  });
}

/** The count of a server whose tokenizer makes more tokens of a text than the estimate. */
function countOf(window: ContextWindow): number {
  return Math.ceil((JSON.stringify(toRequest(window)).length / 3) * COUNTED_SHARE);
}

/**
 * Calls about files that do not exist, with any text as result: mostly reads, some of them partial;
 * sometimes an edit, a command or a recall.
 */
function callFor(number: number): Pick<ToolUse, 'name' | 'input'> {
  const path = `lib/file${number % 7}.ts`;
  switch (number % 11) {
    case 2:
      return { name: 'read_file', input: { path, start_line: 1, end_line: (number % 3) * 10 + 5 } };
    case 3:
      return { name: 'edit_file', input: { path, old_text: 'a', new_text: 'b' } };
    case 5:
      return { name: 'run_command', input: { command: `npm run ${number % 2}` } };
    case 7:
      return { name: 'create_file', input: { path, text: 'new' } };
    case 9:
      return { name: 'recall', input: { handle: `toolu_${number % 20}` } };
    default:
      return { name: 'read_file', input: { path } };
  }
}

/** A session is a prompt followed by anything. */
export const actions: fc.Arbitrary<readonly Action[]> = fc
  .oneof(
    { weight: 1, arbitrary: fc.array(action, { minLength: 1, maxLength: 80, size: 'large' }) },
    // Passes show excerpts only after some work on files.
    { weight: 2, arbitrary: fc.array(action, { minLength: 20, maxLength: 80, size: 'large' }) },
  )
  .map((rest) => [{ type: 'prompt', chars: 200 }, ...rest]);

/** The blocks for which a change may be accepted. */
function changeable({ blocks }: ContextWindow, how: ByHandChange, which: number): readonly Block[] {
  switch (how) {
    case 'exclude':
      return excerptsFirst(blocks.filter(isInWindow), which);
    case 'clear':
      return blocks.filter((block) => block.kind === 'step' && block.pairs.length > 0);
    case 'restore':
    case 'recall':
      return excerptsFirst(
        blocks.filter(({ state }) => state !== 'whole' && state !== 'trimmed'),
        which,
      );
    case 'rewrite':
      return blocks.filter((block) => block.kind === 'summary' && isInWindow(block));
  }
}

/**
 * Only a few of many blocks are excerpts, so every fourth change targets one of them if there is
 * one.
 */
function excerptsFirst(blocks: readonly Block[], which: number): readonly Block[] {
  const views = which % 4 === 3 ? blocks.filter(({ kind }) => kind === 'excerpts') : [];
  return views.length === 0 ? blocks : views;
}

function choose<T>(from: readonly T[], which: number): T | undefined {
  return from[which % Math.max(1, from.length)];
}

function ruleAbout(part: number): string {
  return `Never change module${part} of the project.`;
}

function memoryWithRule(part: number) {
  const text = `Use pnpm.\n${ruleAbout(part)}`;
  return { path: 'AGENTS.md', text, chars: text.length };
}

/** The preamble, with project memory that states one rule. */
function preambleWith(
  part: number | undefined,
): Extract<NewEvent, { readonly type: 'preambleSet' }> {
  return {
    type: 'preambleSet',
    system: 'You are a coding agent.',
    tools: [{ name: 'read_file', description: 'Reads a file.', inputSchema: { type: 'object' } }],
    ...(part === undefined ? {} : { memory: [memoryWithRule(part)] }),
  };
}

/** A prompt with rules before and after other words; every third one repeats an earlier rule. */
function promptWithRules(index: number, chars: number): string {
  const rules = [index, ...(index % 2 === 0 ? [index + 0.5] : []), ...(index % 3 === 0 ? [0] : [])];
  const [first = '', ...others] = rules.map(ruleAbout);
  const words = 'this is one of the words '.repeat(chars / 25);
  return [`Look at part ${index}. ${first}`, words, ...others].join('\n').trim();
}

/** The user adds and strikes rules, and switches them off and on. */
function changeRules(player: Player, index: number): void {
  const active = standingRulesOf(player.window).filter(({ place }) => place !== 'struck');
  const rule = active[(index * 7) % Math.max(1, active.length)];
  if (index % 9 === 4) {
    player.append({ type: 'standingRuleAdded', text: `Always check table${index} first.` });
  }
  if (index % 5 === 3 && rule !== undefined) {
    player.append({ type: 'standingRuleStruck', text: rule.text });
  }
  // The user changes the memory file.
  if (index % 13 === 6) player.append(preambleWith(index % 2 === 0 ? index : 0));
  if (index % 31 === 17) player.append({ type: 'standingRulesSet', on: false });
  if (index % 31 === 20) player.append({ type: 'standingRulesSet', on: true });
}

/** Pauses before requests, in ms: most are short, and two outlast a cache of 5 minutes or of 1 hour. */
const PAUSES = [1, 1, 6, 1, 90].map((minutes) => minutes * 60_000);

/** What every session of a kind has. */
export type Given = 'withRules' | 'withPauses' | 'withLongTask';

/** Characters of a task that takes more than its share of the small window. */
const LONG_TASK = 9_000;

/** Plays a session as the agent would, with passes when they are due, but without a model. */
export function play(
  script: readonly Action[],
  budget: Budget,
  settings: PolicySettings,
  remindAfterSteps = 0,
  given?: Given,
): Played {
  const rules = given === 'withRules' ? given : undefined;
  const files = new RandomFiles();
  const player = new Player(budget, settings, remindAfterSteps, files);
  let ids = 0;
  const standingRules = rules === undefined ? {} : { standingRules: true };
  const started = { version: 3, sessionId: 'random', pinTaskAnchor: true } as const;
  player.append({ type: 'sessionStarted', ...started, ...standingRules });
  player.append(preambleWith(rules === undefined ? undefined : 0));
  for (const [index, act] of script.entries()) {
    if (rules !== undefined) changeRules(player, index);
    switch (act.type) {
      case 'return':
      case 'prompt': {
        // A user who returns to an idle session asks something.
        if (act.type === 'return') player.append(returnOf(act.files));
        const note = modeNote(player.window);
        if (note !== undefined) player.append(note);
        player.remind();
        const chars = given === 'withLongTask' && index === 0 ? LONG_TASK : act.chars;
        const text =
          rules === undefined
            ? `prompt ${index} ${'word '.repeat(chars / 5)}`.trim()
            : promptWithRules(index, chars);
        player.append({
          type: 'promptSubmitted',
          text,
          admission: admit(
            text,
            Math.floor(budget.inputBudget / 2),
            estimate,
            `prompt-${player.window.turn + 1}`,
          ),
        });
        break;
      }
      case 'step': {
        const pause = given === 'withPauses' ? PAUSES[index % PAUSES.length] : undefined;
        if (pause !== undefined) player.pause(pause);
        if (!player.send()) break;
        const uses = act.results.map(({ on }, call) => ({
          id: `toolu_${++ids}` as ToolUseId,
          ...(on === undefined ? callFor(index + call) : files.asks(on)),
        }));
        const parts: ReplyPart[] = [
          ...(act.thinking
            ? [
                {
                  type: 'thinking' as const,
                  thinking: `thought ${index}`,
                  signature: signatureFor(player.window, `thought ${index}`),
                },
              ]
            : []),
          ...(act.text ? [{ type: 'text' as const, text: `I look at ${index}.` }] : []),
          ...uses.map((use) => ({ type: 'toolUse' as const, use })),
        ];
        const counted = act.counted ?? index % 2 === 0;
        player.append({
          type: 'replyReceived',
          model: 'random',
          parts,
          stopReason: uses.length > 0 ? 'tool_use' : 'end_turn',
          usage: {
            inputTokens: counted && given !== 'withPauses' ? countOf(player.window) : 0,
            cacheCreationTokens: counted && given === 'withPauses' ? countOf(player.window) : 0,
            cacheReadTokens: 0,
            outputTokens: 5,
          },
          durationMs: 1,
        });
        const cap = Math.min(1_500, Math.floor(budget.inputBudget / 2 / Math.max(1, uses.length)));
        for (const [call, use] of uses.entries()) {
          const { chars, isError, on } = act.results[call]!;
          const answer =
            on !== undefined && !isError
              ? files.answers(use, player.window.files)
              : { text: `line of ${use.name} ${index % 7}\n`.repeat(chars / 20), isError };
          player.finish(use.id, {
            ...answer,
            origin: on !== undefined && isError ? 'denied' : 'ran',
            durationMs: 1,
            admission: admit(answer.text, cap, estimate, resultHandle(use.id)),
          });
        }
        if (uses.length > 0) player.remind();
        break;
      }
      case 'pin':
      case 'unpin': {
        const block = choose(excerptsFirst(player.window.blocks.toArray(), act.which), act.which);
        if (block === undefined) break;
        player.append({
          type: act.type === 'pin' ? 'blockPinned' : 'blockUnpinned',
          blockId: block.id as BlockId,
        });
        break;
      }
      case 'scratchpad':
        player.append({
          type: 'scratchpadUpdated',
          scratchpad: { ...player.window.scratchpad, objective: 'x'.repeat(act.chars) },
          ...(act.byUser ? { byUser: true } : {}),
        });
        break;
      case 'memory': {
        const text = `rule ${index} ${'m'.repeat(act.chars)}`;
        player.append({
          type: 'noteAdded',
          source: { from: 'memory', path: `src/${index}/AGENTS.md` },
          text,
          admission: admit(text, 200, estimate, 'note'),
        });
        break;
      }
      case 'anchor': {
        const prompts = player.window.blocks.filter(({ kind }) => kind === 'prompt');
        const block = prompts[act.which % Math.max(1, prompts.length)];
        if (block !== undefined) player.append({ type: 'anchorMoved', blockId: block.id });
        break;
      }
      case 'undo': {
        const { ledger } = player.window;
        const byHand = ledger.filter(({ pass }) => pass.trigger === 'byHand');
        // There are many passes, so changes by hand and the newest excerpts must get their turn
        // too.
        const withExcerptsShown = ledger.filter(({ pass }) => pass.excerpts !== undefined);
        const from = [ledger.toArray(), byHand, ledger.toArray(), withExcerptsShown.slice(-1)];
        const entry = choose(from[act.which % 4] ?? [], act.which >> 2);
        if (entry !== undefined) player.append({ type: 'passUndone', number: entry.pass.number });
        break;
      }
      case 'pass':
        player.runPass(act.trigger);
        break;
      case 'outside':
        files.change(act.change);
        break;
      case 'choose': {
        const { type: _type, file, ...chosen } = act;
        player.append({ type: 'fileChosen', path: RandomFiles.pathOf(file), ...chosen });
        break;
      }
      case 'policy':
        player.switchTo(act.policy);
        player.append({ type: 'modeSet', mode: MODES[index % MODES.length] ?? 'ask' });
        break;
      case 'stepDown':
        player.stepDown();
        break;
      case 'undoPrompt':
        player.undoPrompt(act.which);
        break;
      case 'byHand': {
        const block = choose(changeable(player.window, act.how, act.which), act.which);
        if (block !== undefined) player.changeByHand(act.how, block.id);
        break;
      }
    }
  }
  player.send();
  return player;
}

const SMALL = withInputBudget(
  {
    contextWindowTokens: 9_000,
    maxReplyTokens: 500,
    safetyHeadroomTokens: 250,
    toolResultHeadroomTokens: 250,
    highWatermark: 0.8,
    lowWatermark: 0.5,
  },
  8_000,
);

/** Possible settings of a policy. */
export const settingsOf = fc.record({
  summaries: fc.boolean(),
  maxMessages: fc.integer({ min: 2, max: 20 }),
  keepTurns: fc.integer({ min: 1, max: 6 }),
  keepRecentTurns: fc.integer({ min: 0, max: 3 }),
  maxHistoryTurns: fc.constantFrom(0, 3, 50),
  remindAfterSteps: fc.constantFrom(0, 2, 6),
  excerptShare: fc.constantFrom(0.9, 0.9, 0.9, 0.5, 1, undefined),
});

/** Any policy; three of four sessions have the one with excerpts. */
export const anyPolicy = fc.oneof(
  { weight: 3 * (POLICY_NAMES.length - 1), arbitrary: fc.constant('ladder' as const) },
  {
    weight: POLICY_NAMES.length - 1,
    arbitrary: fc.constantFrom(...POLICY_NAMES.filter((name) => name !== 'ladder')),
  },
);

/** The settings of a played session, apart from its policy. */
export type PlayedSettings = Omit<PolicySettings, 'policy' | 'excerptShare'> & {
  readonly remindAfterSteps?: number;
  /** Undefined for no excerpts. */
  readonly excerptShare?: number | undefined;
};

/** Plays a session in so small a window that passes are always due. */
export function playSmall(
  script: readonly Action[],
  policy: PolicySettings['policy'],
  { remindAfterSteps, excerptShare, ...set }: PlayedSettings,
  given?: Given,
): Played {
  const { excerptShare: _default, ...base } = POLICY_SETTINGS;
  const views = excerptShare === undefined ? {} : { excerptShare };
  return play(script, SMALL, { ...base, ...set, ...views, policy }, remindAfterSteps, given);
}

/** A script also contains impossible changes, which the host does not write into a log. */
export function withoutRefusedUndo(all: readonly SessionEvent[]): readonly SessionEvent[] {
  let window = EMPTY_WINDOW;
  return all.filter((event) => {
    const before = window.ledger;
    window = applyEvent(window, event);
    return event.type !== 'passUndone' || window.ledger !== before;
  });
}
