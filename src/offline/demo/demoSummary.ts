import { blocksOf, systemBlocks } from '../conversation';
import { actionOf, type ScriptedStep, type ScriptedTurn } from './demoScript';
import type { MessagesRequest } from '../messagesApi';

/** Longest summary in words. */
const MOST_WORDS = 450;

/**
 * Words of a summary for each token that the request grants; English with paths stays well within
 * that.
 */
const WORDS_PER_TOKEN = 0.42;

/** Below this many words there is room for findings only. */
const ROOM_FOR_ADVICE = 300;

/** Characters of a text that are enough to identify a step. */
const SAID = 50;

/** The transcript's text after a call that did not happen. */
const PREVENTED = /\b(denied|not approved|stopped|interrupted|cancell?ed) by the user\b/i;

const OPENING =
  'Scripted summary of the offline demo, put together from the steps found in the part of the session it replaces.';

const ADVICE = `## How to use this
- Results that were read in that part are no longer in the context window. The findings above are all that is kept of them; before relying on an exact line of a file, read the file again or recall the result.
- Test counts above were true when that run ended. Later edits may have changed them, so the newest run counts.
- The scratchpad holds the objective, the facts and the decisions in the agent's own words, and was not touched by this.
- The rules of the task still hold: causes are fixed in src/, existing tests and the public API stay as they are, and nothing is called finished before npm test is green.
- Work goes on with the step that follows the newest results in the window; nothing listed above has to be done a second time.`;

/** An instruction to the summariser that makes the demo invent a path, until it is asked to correct it. */
const INVENTING = 'Name a file that does not exist.';
const INVENTED = 'The gauge readings are in src/ports/tideGauge.js.';
/** What the request for a correction says. */
const CORRECTING = /occur neither in the steps nor in the notes/;

/** A scripted step that the transcript shows, with the piece of text up to the next one. */
interface ShownStep {
  readonly step: ScriptedStep;
  readonly text: string;
}

/**
 * Summarises the part of a session in the request: one line for every scripted step in the text,
 * and nothing else.
 *
 * It recognises steps by the ids of their calls or by the text next to them, and keeps the findings
 * of an earlier summary.
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
  const invented = text.includes(INVENTING) && !CORRECTING.test(text) ? [INVENTED] : [];
  const write = (kept: readonly string[]) =>
    [
      OPENING,
      ...(advised && asked.length > 0 ? [section('Asked', asked)] : []),
      section('Found and done', [...leftOut(findings.length - kept.length), ...kept, ...invented]),
      ...(advised ? [ADVICE] : []),
    ].join('\n\n');
  let kept = findings;
  while (kept.length > 0 && wordsIn(write(kept)) > most) kept = kept.slice(1);
  return write(kept);
}

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

/**
 * Lists the contents of the text in the order of the script; a finding of an earlier summary counts
 * once.
 */
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
  // The summary states the outcome of a run and the approval of a change only if the text contains
  // it.
  if (step.expect !== undefined && text.includes(step.expect)) return [step.finding];
  if (PREVENTED.test(text)) {
    return [`Not done, denied or stopped: ${step.calls.map(actionOf).join(' and ')}.`];
  }
  return step.expect === undefined ? [step.finding] : [];
}

/** Finds the steps in the text and cuts it into their pieces. */
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

/** Writes a block as text, in case the request has messages and not a transcript. */
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

/** The limit in tokens: from the instructions, and never more than the reply limit. */
function roomIn(request: MessagesRequest): number {
  const limit = systemBlocks(request.system)
    .map(({ text }) => /at most (\d+) tokens/.exec(text)?.[1])
    .find((number) => number !== undefined);
  return Math.min(request.max_tokens, limit === undefined ? Infinity : Number(limit));
}
