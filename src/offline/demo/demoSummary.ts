import { blocksOf, systemBlocks } from '../conversation';
import { actionOf, type ScriptedStep, type ScriptedTurn } from './demoScript';
import type { MessagesRequest } from '../messagesApi';

/** Longest summary in words. */
const MOST_WORDS = 450;

/** Words a summary may use for each token the request grants it; English with paths in it stays well within that. */
const WORDS_PER_TOKEN = 0.42;

/** Below this many words there is room for findings only. */
const ROOM_FOR_ADVICE = 300;

/** Characters of a text that are enough to tell one step from all others. */
const SAID = 50;

/** What a transcript says behind a call that did not happen. */
const PREVENTED = /\b(denied|not approved|stopped|interrupted|cancell?ed) by the user\b/i;

const OPENING =
  'Scripted summary of the offline demo, put together from the steps found in the part of the session it replaces.';

const ADVICE = `## How to use this
- Results that were read in that part are no longer in the context window. The findings above are all that is kept of them; before relying on an exact line of a file, read the file again or recall the result.
- Test counts above were true when that run ended. Later edits may have changed them, so the newest run counts.
- The scratchpad holds the objective, the facts and the decisions in the agent's own words, and was not touched by this.
- The rules of the task still hold: causes are fixed in src/, existing tests and the public API stay as they are, and nothing is called finished before npm test is green.
- Work goes on with the step that follows the newest results in the window; nothing listed above has to be done a second time.`;

/** A scripted step that the transcript shows, with the piece of text up to the next one. */
interface ShownStep {
  readonly step: ScriptedStep;
  readonly text: string;
}

/**
 * Sums up the part of a session in the request: one line for every scripted step the text shows, nothing it doesn't.
 *
 * Steps are known by the ids of their calls or by what was said beside them; findings of an earlier summary are carried on.
 */
export function demoSummary(request: MessagesRequest, turns: readonly ScriptedTurn[]): string {
  const text = flat(
    request.messages
      .flatMap((message) => blocksOf(message.content))
      .map(textOf)
      .join('\n'),
  );
  const most = Math.min(MOST_WORDS, Math.floor(roomIn(request) * WORDS_PER_TOKEN));
  const advised = most >= ROOM_FOR_ADVICE;
  const asked = turns.filter((turn) => text.includes(turn.prompt)).map(({ prompt }) => prompt);
  const findings = findingsIn(text, turns);
  const write = (kept: readonly string[]) =>
    [
      OPENING,
      ...(advised && asked.length > 0 ? [section('Asked', asked)] : []),
      section('Found and done', [...leftOut(findings.length - kept.length), ...kept]),
      ...(advised ? [ADVICE] : []),
    ].join('\n\n');
  let kept = findings;
  while (kept.length > 0 && wordsIn(write(kept)) > most) kept = kept.slice(1);
  return write(kept);
}

/** Counts the words of a text. */
export function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

function section(title: string, lines: readonly string[]): string {
  const listed =
    lines.length > 0 ? lines : ['No step of the script could be made out, so there is nothing.'];
  return `## ${title}\n${listed.map((line) => `- ${line}`).join('\n')}`;
}

function leftOut(count: number): readonly string[] {
  return count === 0 ? [] : [`(${count} earlier findings left out)`];
}

/** Lists what the text shows, in the order of the script; a finding an earlier summary told counts once. */
function findingsIn(text: string, turns: readonly ScriptedTurn[]): readonly string[] {
  const shown = shownIn(text, turns);
  return turns
    .flatMap((turn) => turn.steps)
    .flatMap((step) => {
      const found = shown.find((candidate) => candidate.step === step);
      if (found !== undefined) return findingOf(found);
      return step.finding !== undefined && text.includes(step.finding) ? [step.finding] : [];
    });
}

function findingOf({ step, text }: ShownStep): readonly string[] {
  if (step.finding === undefined) return [];
  // The outcome of a run and the approval of a change are in the text, or nothing is claimed.
  if (step.expect !== undefined && text.includes(step.expect)) return [step.finding];
  if (PREVENTED.test(text)) {
    return [`Not done, denied or stopped: ${step.calls.map(actionOf).join(' and ')}.`];
  }
  return step.expect === undefined ? [step.finding] : [];
}

/** Finds the steps the text shows and cuts it into their pieces. */
function shownIn(text: string, turns: readonly ScriptedTurn[]): readonly ShownStep[] {
  const places = turns
    .flatMap((turn, index) =>
      turn.steps.map((step, stepIndex) => ({
        step,
        place: placeOf(step, index + 1, stepIndex + 1, text),
      })),
    )
    .filter(({ place }) => place !== -1)
    .sort((a, b) => a.place - b.place);
  return places.map(({ step, place }, index) => ({
    step,
    text: text.slice(place, places[index + 1]?.place),
  }));
}

function placeOf(step: ScriptedStep, turn: number, number: number, text: string): number {
  const said = text.lastIndexOf(flat(step.say).slice(0, SAID));
  return said === -1 ? text.indexOf(`toolu_demo_${turn}_${String(number).padStart(2, '0')}`) : said;
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Writes a block as text, in case the request holds messages and not a transcript. */
function textOf(block: ReturnType<typeof blocksOf>[number]): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'compaction':
      return block.content ?? '';
    case 'tool_use':
      return block.id;
    case 'tool_result':
      return typeof block.content === 'string'
        ? block.content
        : JSON.stringify(block.content ?? '');
    case 'image':
    case 'document':
    case 'thinking':
    case 'redacted_thinking':
      return '';
  }
}

/** The most tokens asked for: what the instructions say, and never more than the reply may have. */
function roomIn(request: MessagesRequest): number {
  const told = systemBlocks(request.system)
    .map(({ text }) => /at most (\d+) tokens/.exec(text)?.[1])
    .find((number) => number !== undefined);
  return Math.min(request.max_tokens, told === undefined ? Infinity : Number(told));
}
