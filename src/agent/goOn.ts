import type { NoteSource } from '../contextWindow/block';
import { latestStep, type ContextWindow } from '../contextWindow/contextWindow';
import type { NewEvent } from '../contextWindow/event';
import type { TurnEnd } from '../contextWindow/log/turnEnd';

/**
 * The note that has the model go on with a turn that had ended. Undefined where the request says
 * enough without: results or a prompt wait for an answer, and the user did not say stop.
 */
export function noteToGoOn(window: ContextWindow, end: TurnEnd): NewEvent | undefined {
  const last = window.blocks.at(-1);
  const endsWithReply = last?.kind === 'step' && last.pairs.length === 0;
  const wasStopped = end.type === 'stopped' && latestStep(window) === last && last !== undefined;
  if (!endsWithReply && !wasStopped) return undefined;
  const { because, text } = wordsFor(end);
  return {
    type: 'noteAdded',
    source: { from: 'goOn', because },
    text: `[Go on, no new request: ${text}]`,
    admission: { form: 'whole' },
  };
}

interface Words {
  readonly because: Extract<NoteSource, { readonly from: 'goOn' }>['because'];
  readonly text: string;
}

function wordsFor(end: TurnEnd): Words {
  switch (end.type) {
    case 'stopped':
      return {
        because: 'stopped',
        text: 'the user had stopped you, and now asks you to go on where you were.',
      };
    case 'refused':
      return {
        because: 'refused',
        text: 'you ended your last reply with a refusal. The user asks you to try again.',
      };
    case 'replyCut':
      return {
        because: 'maxTokens',
        text:
          'your reply was cut off. Continue it exactly where it stops, without repeating anything ' +
          'or commenting on this.',
      };
    case 'interrupted':
    case 'open':
      return {
        because: 'interrupted',
        text:
          `you were interrupted by a ${end.type === 'open' ? 'restart of the editor' : 'reload of the window'}. ` +
          'Go on where you were.',
      };
    case 'none':
    case 'finished':
    case 'stepLimit':
    case 'capReached':
    case 'contextFull':
    case 'failed':
      return {
        because: 'failed',
        text: 'your last reply broke off. Go on where it stops, without repeating anything.',
      };
  }
}
