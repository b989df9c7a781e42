import { isInWindow, type FilesBlock, type ShownLines } from '../../src/contextWindow/block';
import { callEffectOf } from '../../src/contextWindow/callEffect';
import { blocksInWindow, type ContextWindow } from '../../src/contextWindow/window';
import type { SessionEvent } from '../../src/contextWindow/event';
import { asOnDisk } from '../../src/contextWindow/files/asOnDisk';
import { choiceAt } from '../../src/contextWindow/files/fileChoices';
import { numberedLines } from '../../src/contextWindow/files/knownFile';
import { measure } from '../../src/contextWindow/account/measure';
import { applyEvent, fold } from '../../src/contextWindow/fold';
import { WindowHistory } from '../../src/contextWindow/history';
import { passApplied, passToRun } from '../../src/contextWindow/passes/pipeline';
import { policyFacts } from '../../src/contextWindow/passes/rungs/policyInput';
import { workNoteOf } from '../../src/contextWindow/passes/rungs/summary';
import { toRequest } from '../../src/contextWindow/request/request';
import { forkEvents } from '../../src/sessions/sessionRegistry';
import { passesOf } from './passWindows';
import { expect } from './plainExpect';
import { estimate, type Played } from './player';

/** Invariants of excerpts; each throws if it does not hold. */
export const EXCERPTS_INVARIANTS: Readonly<Record<string, (played: Played) => void>> = {
  'I13: the window has at most one block of excerpts': ({ sent }) => {
    for (const { window } of sent) expect(excerptsIn(window).length).toBeLessThanOrEqual(1);
  },

  'I13: excerpts, and lines sent with an edit, are what the file holds then, each line once': ({
    events,
    shownFrom,
  }) => {
    for (const event of events) {
      const disk = shownFrom?.get(event);
      const shown = disk === undefined ? [] : shownBy(event);
      const places = new Set<string>();
      for (const lines of shown.filter(({ path }) => path.startsWith('src/'))) {
        const { path, first, text } = lines;
        expect(first).toBeGreaterThan(0);
        const texts = text.split('\n');
        const there = disk!.files.get(path)?.slice(first! - 1, first! - 1 + texts.length);
        expect({ path, first, texts }).toEqual({ path, first, texts: there });
        for (const at of texts.keys()) places.add(`${path}:${first! + at}`);
        if (lines.changedOutside === true && !disk!.editedUnread.has(path)) {
          expect(disk!.changedOutside).toContain(path);
        }
      }
      const count = shown
        .filter(({ path }) => path.startsWith('src/'))
        .reduce((sum, { text }) => sum + text.split('\n').length, 0);
      expect(places.size).toBe(count);
      if (event.type !== 'passApplied') continue;
      for (const { path, onDisk } of event.pass.excerpts?.hidden ?? []) {
        if (path.startsWith('src/')) expect(onDisk === 'deleted').toBe(!disk!.files.has(path));
      }
    }
  },

  'I13: excerpts show nothing that is never to be shown': ({ events }) => {
    for (const { before, pass } of passesOf(events)) {
      for (const { path, first, text, why } of pass.excerpts?.shown ?? []) {
        for (const at of text.split('\n').keys()) {
          const line = first === undefined ? undefined : first + at;
          const choice = choiceAt(before.fileChoices, path, line);
          expect(choice).not.toBe('never');
          expect(choice === 'always').toBe(why.chosen === true);
        }
      }
    }
  },

  'I3, I13: excerpts are said by the assistant and never end a request': ({ sent }) => {
    for (const { window } of sent) {
      const texts = excerptsIn(window).map(({ text }) => text);
      if (texts.length === 0) continue;
      const { messages } = toRequest(window);
      const saying = messages.filter(({ content }) =>
        content.some((part) => part.type === 'text' && texts.includes(part.text)),
      );
      expect(saying.map(({ role }) => role)).toEqual(saying.map(() => 'assistant'));
      expect(saying.length).toBeGreaterThan(0);
      expect(saying).not.toContain(messages.at(-1));
    }
  },

  'I9, I13: a read is cleared as held by excerpts only if the file model has the file': ({
    events,
    shownFrom,
  }) => {
    for (const { event, before, pass } of passesOf(events)) {
      const held = new Set<string>(
        pass.decisions
          .filter(({ reason }) => reason.rule === 'clearHeldByExcerpts')
          .flatMap(({ heldByExcerpts }) => heldByExcerpts ?? []),
      );
      const disk = shownFrom?.get(event);
      for (const block of blocksInWindow(before)) {
        if (block.kind !== 'step') continue;
        for (const { use, result, heldByExcerpts } of block.pairs) {
          if (!held.has(use.id) || heldByExcerpts === true) continue;
          const effect = callEffectOf(use);
          expect(['read', 'edit']).toContain(effect.kind);
          const path = 'path' in effect ? (effect.path ?? '') : '';
          const lines = before.files.get(path)?.runs.flatMap((run) => run.lines) ?? [];
          expect({ use, known: lines.length > 0 }).toEqual({ use, known: true });
          if (effect.kind !== 'read' || disk === undefined) continue;
          // Lines that were read and occur once are known after the pass read the file. If
          // something else cut the file, numbers show how many lines are gone, but not which.
          const there = disk.files.get(path) ?? [];
          const now = asOnDisk(before.files.get(path)!, there.map((text) => `${text}\n`).join(''));
          const known = new Set(
            [...lines, ...now.runs.flatMap((run) => run.lines)].map(({ text }) => text),
          );
          for (const read of numberedLines(result!.text).flatMap((each) => each.lines)) {
            const count = there.filter((text) => text === read).length;
            if (count === 1)
              expect({ path, read, known: known.has(read) }).toEqual({ path, read, known: true });
          }
        }
      }
    }
  },

  'I5, I13: with any share for excerpts, a pass would make the request smaller and show them once':
    ({ window, budget, settings }) => {
      for (const excerptShare of [0.3, 1]) {
        const tried = { ...settings, policy: 'ladder', excerptShare } as const;
        const facts = policyFacts({ window, budget, estimate, settings: tried });
        const planned = passToRun({ ...facts, trigger: 'manual' });
        if (planned === undefined) continue;
        const { input, plan } = planned;
        const because = 'this is a test';
        const told = plan.summaries.map((job) => workNoteOf(input, job, { because }));
        const event = passApplied(facts, plan, told);
        const after = applyEvent(window, { at: 0, ...event });
        expect(excerptsIn(after).length).toBeLessThanOrEqual(1);
        expect(measure(after, estimate).used.tokens).toBeLessThan(facts.measured.used.tokens);
      }
    },

  'I10: time travel and a fork give the window of the time': ({ events, sent }) => {
    const history = new WindowHistory(events);
    const numbers = [...history.stepNumbers];
    const step = numbers.at(numbers.length >> 1);
    const at = sent.findLast(({ window }) => window.step === (step ?? 0) - 1);
    if (step === undefined || at === undefined) return;
    expect(textOf(history.windowBefore(step)!)).toBe(textOf(at.window));
    const forked = fold([events[0]!, ...forkEvents(events, step)!]);
    expect(textOf(forked)).toBe(textOf(history.windowAfter(step)!));
  },
};

function excerptsIn({ blocks }: ContextWindow): readonly FilesBlock[] {
  return blocks.flatMap((block) => (block.kind === 'excerpts' && isInWindow(block) ? [block] : []));
}

function shownBy(event: SessionEvent): readonly ShownLines[] {
  if (event.type === 'passApplied') return event.pass.excerpts?.shown ?? [];
  return event.type === 'toolFinished' ? (event.shown ?? []) : [];
}

function textOf(window: ContextWindow): string {
  return JSON.stringify(toRequest(window));
}
