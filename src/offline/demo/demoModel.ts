import { systemBlocks, turnsOf } from '../conversation';
import type {
  Message,
  MessagesRequest,
  Respond,
  ScriptedReply,
  ToolResultBlock,
} from '../messagesApi';
import { startStrictServer } from '../strictServer';
import {
  type DemoId,
  demoIdText,
  handleFrom,
  newRun,
  positionOf,
  resultTextOf,
} from './demoPosition';
import { DEMO_AUTHOR, DEMO_FOLLOW_UPS, DEMO_TASK, EVERYDAY_TASK } from './demoPrompts';
import { actionOf, type ScriptedCall, type ScriptedStep, type ScriptedTurn } from './demoScript';
import { demoSummary } from './demoSummary';
import { LEGACY_TURN, NEW_DECK_TURN } from './demoFollowUps';
import { TASK_TURN } from './demoTask';
import { EVERYDAY_PLAN_TURN, EVERYDAY_TURN, SCOUT_TURN } from './everydayTask';

/** Every turn the demo knows; the id of a tool call contains the turn's number, from 1. */
export const DEMO_TURNS: readonly ScriptedTurn[] = [
  TASK_TURN,
  LEGACY_TURN,
  NEW_DECK_TURN,
  EVERYDAY_TURN,
  EVERYDAY_PLAN_TURN,
  SCOUT_TURN,
];

/** How the summariser's system prompt begins. */
const SUMMARISER = 'Plimsoll summariser';

/** How the system prompt for a commit message begins. */
const COMMIT_WRITER = 'Plimsoll commit message writer';

/** The last line of the sample's test runner. */
const TEST_OUTCOME = /\b\d+ passed, (\d+) failed\b/g;

/** The text of a result when the user or Stop prevented a tool from running. */
const PREVENTED =
  /\b(denied|declined|rejected|(not|n't) approved?|stopped|cancell?ed|interrupted|aborted)\b/i;

/**
 * Makes the offline model: a script for two tasks and two follow-up questions, no AI.
 *
 * It keeps no state and reads its position from the request alone, so cleared, evicted or
 * summarised blocks make no difference.
 */
export function demoModel(options: { readonly delayMs?: number } = {}): Respond {
  return (request) => ({ ...replyTo(request), model: DEMO_AUTHOR, ...options });
}

function replyTo(request: MessagesRequest): ScriptedReply {
  const system = systemBlocks(request.system)
    .map((block) => block.text)
    .join('\n');
  if (system.trimStart().startsWith(SUMMARISER)) return said(demoSummary(request, DEMO_TURNS));
  if (system.trimStart().startsWith(COMMIT_WRITER)) return said('Change the sample project');
  const position = positionOf(request.messages);
  switch (position.at) {
    case 'prompt': {
      const turn = turnFor(position.prompt, isPlanning(request.messages));
      if (turn === undefined) return said(unknownPrompt());
      return replyAt({ turn, step: 1, run: newRun(request.messages) }, request.messages);
    }
    case 'results':
      return replyBehind(position.id, position.results, request.messages);
    case 'foreignResults':
      return said(
        `This step was begun by another model, and the offline demo cannot go on with it.\n\n${unknownPrompt()}`,
      );
  }
}

/** Finds the turn for a prompt: by its exact text first, otherwise by keywords. */
function turnFor(prompt: string, plans: boolean): number | undefined {
  const asked = plain(prompt);
  const isMeant = ({ mode }: ScriptedTurn) => mode === undefined || plans;
  const isLoose = ({ keywords }: ScriptedTurn) => keywords.every((word) => word.test(asked));
  const found = [
    DEMO_TURNS.findIndex((turn) => turn.mode !== undefined && isMeant(turn) && isLoose(turn)),
    DEMO_TURNS.findIndex((turn) => isMeant(turn) && plain(turn.prompt) === asked),
    // The task has the most general words, so it is tried last.
    DEMO_TURNS.findLastIndex((turn) => isMeant(turn) && isLoose(turn)),
  ].find((at) => at !== -1);
  return found === undefined ? undefined : found + 1;
}

/** Whether the last note on the mode says that the agent plans. */
function isPlanning(messages: readonly Message[]): boolean {
  const texts = turnsOf(messages).flatMap(({ blocks }) =>
    blocks.flatMap(({ block }) => (block.type === 'text' ? [block.text] : [])),
  );
  return texts.findLast((text) => text.startsWith('[Mode: '))?.startsWith('[Mode: plan.') === true;
}

function plain(prompt: string): string {
  return prompt.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Decides what follows the results of a step: the next step, or the reason to stop here. */
function replyBehind(
  id: DemoId,
  results: readonly ToolResultBlock[],
  messages: readonly Message[],
): ScriptedReply {
  const turn = DEMO_TURNS[id.turn - 1];
  const step = turn?.steps[id.step - 1];
  if (turn === undefined || step === undefined) return said(unknownPrompt());
  const trouble = troubleIn(step, results);
  if (trouble !== undefined) {
    return said([trouble, ...standing(turn, id.step)].join('\n\n'));
  }
  return replyAt({ turn: id.turn, step: id.step + 1, run: id.run }, messages);
}

/** Returns the step with this number, or the answer after the last step. */
function replyAt(at: Omit<DemoId, 'call'>, messages: readonly Message[]): ScriptedReply {
  const turn = DEMO_TURNS[at.turn - 1];
  const step = turn?.steps[at.step - 1];
  if (turn === undefined) return said(unknownPrompt());
  if (step === undefined) return said(turn.answer);
  return {
    content: [
      ...(step.think === undefined ? [] : [{ type: 'thinking' as const, thinking: step.think }]),
      { type: 'text', text: step.say },
      ...step.calls.map((call, index) => ({
        type: 'tool_use' as const,
        id: demoIdText({ ...at, call: index }),
        name: call.name,
        input: inputOf(call, turn, at, messages),
      })),
    ],
    stopReason: 'tool_use',
  };
}

/**
 * Returns the input of a call, with a handle `@key` replaced by the result of that step in this
 * run.
 */
function inputOf(
  call: ScriptedCall,
  turn: ScriptedTurn,
  at: Omit<DemoId, 'call'>,
  messages: readonly Message[],
): Readonly<Record<string, unknown>> {
  if (!('handle' in call.input) || call.input.handle?.startsWith('@') !== true)
    return { ...call.input };
  const key = call.input.handle.slice(1);
  const step = turn.steps.findIndex((candidate) => candidate.key === key) + 1;
  const handle =
    call.name === 'recall'
      ? demoIdText({ ...at, step, call: 0 })
      : handleFrom({ ...at, step }, messages);
  return { ...call.input, handle };
}

/** Finds the reason to stop after these results; undefined if the script can continue. */
function troubleIn(step: ScriptedStep, results: readonly ToolResultBlock[]): string | undefined {
  const failed = results.filter((result) => result.is_error === true);
  const outcome = results
    .flatMap((result) => resultTextOf(result).match(TEST_OUTCOME) ?? [])
    .at(-1);
  if (step.expect !== undefined && outcome !== undefined) {
    return outcome === step.expect ? undefined : otherOutcome(outcome, step.expect);
  }
  const prevented = failed.filter((result) => PREVENTED.test(resultTextOf(result)));
  if (prevented.length > 0) {
    return `${sentence(actionsOf(step, prevented))} not done: denied or stopped, so I end here.`;
  }
  if (failed.length > 0 && step.optional !== true) {
    return `${sentence(actionsOf(step, failed))} not done; the tool reported:\n\n> ${firstLine(failed)}\n\nThe script has no step for that, so I end here.`;
  }
  if (step.expect !== undefined) {
    return `I could not find the last line of the test runner (\`${step.expect}\`) in the output, so I don't know how the run ended, and end here.`;
  }
  return undefined;
}

function otherOutcome(outcome: string, expected: string): string {
  if (outcome.endsWith(', 0 failed')) {
    return (
      `The checks already pass: **${outcome}**. This workspace is no longer as the script knows it (it expects ` +
      `\`${expected}\` at this point); most likely the demo has fixed it before. Nothing was changed now. On a fresh copy ` +
      'of the sample the task can be watched again.'
    );
  }
  return (
    `The run gave **${outcome}**, but the script expects \`${expected}\` at this point: this workspace is not as the script ` +
    'knows it, so I end here. On a fresh copy of the sample the task can be watched again.'
  );
}

function actionsOf(step: ScriptedStep, results: readonly ToolResultBlock[]): string {
  const failed = new Set(results.map((result) => letterOf(result.tool_use_id)));
  const actions = step.calls.flatMap((call, index) => (failed.has(index) ? [actionOf(call)] : []));
  return `${actions.join(' and ')} ${actions.length === 1 ? 'was' : 'were'}`;
}

function letterOf(id: string): number {
  return (/\d{2}([a-z])_/.exec(id)?.[1] ?? 'a').charCodeAt(0) - 'a'.charCodeAt(0);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function firstLine(results: readonly ToolResultBlock[]): string {
  const line = results
    .flatMap((result) => resultTextOf(result).split('\n'))
    .find((candidate) => candidate.trim() !== '');
  return (line ?? 'nothing').slice(0, 300);
}

/** Lists the changes made before a step, which stay, and the later ones, which will not happen. */
function standing(turn: ScriptedTurn, step: number): readonly string[] {
  const made = changesOf(turn.steps.slice(0, step - 1));
  const missing = changesOf(turn.steps.slice(step));
  return [
    ...(missing.length > 0 ? [`Not done either:\n\n${missing.join('\n')}`] : []),
    ...(made.length > 0
      ? [
          `Done before and still in place:\n\n${made.join('\n')}\n\nUndo that before sending the task again.`,
        ]
      : []),
  ];
}

function changesOf(steps: readonly ScriptedStep[]): readonly string[] {
  return steps
    .flatMap((step) => step.calls)
    .filter((call) => call.name === 'edit_file' || call.name === 'create_file')
    .map((call) => `- ${actionOf(call)}`);
}

function said(text: string): ScriptedReply {
  return { content: [{ type: 'text', text }], stopReason: 'end_turn' };
}

/** Says clearly what this is and what it can do. */
function unknownPrompt(): string {
  const known = [DEMO_TASK, ...DEMO_FOLLOW_UPS, EVERYDAY_TASK]
    .map((prompt) => `- ${prompt}`)
    .join('\n');
  return `This is the offline demo: a script, no AI. It cannot answer that. It knows four prompts, for the bundled sample workspace:

${known}

For a real model, run the command **Plimsoll: Set the Anthropic API Key** and set \`plimsoll.provider\` to \`anthropic\`.`;
}

/** Pause between two pieces of a scripted reply, so that it reads like one being written. */
const DELAY_MS = 25;

/** Starts the strict server with the scripted demo behind it. */
export function startDemoServer() {
  return startStrictServer({ respond: demoModel({ delayMs: DELAY_MS }) });
}
