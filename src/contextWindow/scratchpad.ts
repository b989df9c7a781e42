/** Typed working notes of the agent that outlive eviction. */
export interface Scratchpad {
  readonly objective: string;
  readonly keyFacts: readonly string[];
  readonly decisions: readonly string[];
  readonly currentStep: string;
  readonly blockers: readonly string[];
}

export const EMPTY_SCRATCHPAD: Scratchpad = {
  objective: '',
  keyFacts: [],
  decisions: [],
  currentStep: '',
  blockers: [],
};

/** Replaces the fields given and keeps the rest. */
export function updateScratchpad(notes: Scratchpad, change: Partial<Scratchpad>): Scratchpad {
  return { ...notes, ...change };
}

/** Writes the notes as text, one heading a field that has content; empty notes give ''. */
export function scratchpadText(notes: Scratchpad): string {
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `- ${item}`)];
  const line = (title: string, text: string) => (text.trim() === '' ? [] : [`${title}: ${text}`]);
  return [
    ...line('Objective', notes.objective),
    ...list('Key facts', notes.keyFacts),
    ...list('Decisions', notes.decisions),
    ...line('Current step', notes.currentStep),
    ...list('Blockers', notes.blockers),
  ].join('\n');
}
