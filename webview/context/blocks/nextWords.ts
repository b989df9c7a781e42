import type { Action } from '../../../src/protocol/contextPanel';

/** What a pass would do to a block now: a word for its row, and a sentence. */
export interface NextWords {
  readonly word: string;
  readonly sentence: string;
}

/** Puts into words what a pass would do to a block now; undefined where it would leave it alone. */
export function nextWords(action: Action | undefined): NextWords | undefined {
  switch (action) {
    case 'truncate':
      return next('truncate', 'shorten it: head and tail stay, the agent can recall the rest');
    case 'trim':
      return next('trim', 'take its thinking out; everything else stays');
    case 'clear':
      return next('clear', 'put a placeholder in the place of its results; the calls stay');
    case 'compact':
      return next('compact', 'fold it into a summary of the oldest blocks');
    case 'evict':
      return next('evict', 'take it out of the window; the agent can recall it');
    // The last two are the user's alone.
    case undefined:
    case 'keep':
    case 'restore':
    case 'rewrite':
      return undefined;
  }
}

function next(word: string, deed: string): NextWords {
  return { word, sentence: `If a pass ran now, it would ${deed}.` };
}
