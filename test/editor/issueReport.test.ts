import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { Session } from '../../src/agent/session';
import { errorKind } from '../../src/editor/report';
import {
  changedSettings,
  type IssueFacts,
  issueReport,
  sessionNumbers,
} from '../../src/editor/issueReport';
import { callsTools, finished, prompt } from '../sessions/support/sampleEvents';
import { runs } from '../support/runs';

vi.mock('vscode', () => ({}));

const FACTS: IssueFacts = {
  versions: { Plimsoll: '0.1.0', Node: '20.1.0' },
  settings: [],
  errors: [],
};

const SCHEMAS = {
  'plimsoll.provider': { enum: ['anthropic', 'offline'], default: 'anthropic' },
  'plimsoll.model': { default: 'claude-sonnet-5-5' },
  'plimsoll.baseUrl': { default: '' },
  'plimsoll.turn.maxSteps': { default: 0 },
  'plimsoll.context.pinTaskAnchor': { default: true },
  'plimsoll.context.models': { default: {} },
  'plimsoll.tools.enabled': { default: [] },
};

/** The settings section of a report with these settings. */
const told = (set: Readonly<Record<string, unknown>>) =>
  changedSettings(SCHEMAS, (name) =>
    name in set ? set[name] : SCHEMAS[name as keyof typeof SCHEMAS].default,
  );

/** A session with a text of the user's in every field that can hold one. */
function sessionWith(text: string): Session {
  const session = new Session({ append: () => undefined }, () => 0);
  for (const event of [prompt(text), callsTools(text), finished(text)]) session.append(event);
  session.append({
    type: 'turnEnded',
    outcome: { type: 'failed', failure: text, message: text },
  });
  return session;
}

describe('an issue report', () => {
  it('has versions, settings, the session in numbers, kinds of errors, and space for a description', () => {
    const session = sessionWith('Mend the mast.');
    const report = issueReport({
      ...FACTS,
      settings: told({ 'plimsoll.provider': 'offline', 'plimsoll.baseUrl': 'https://a.example' }),
      session: sessionNumbers(session.events, session.window, 20_000)!,
      errors: ['TypeError', 'Error (ENOENT)'],
    });
    expect(report).toMatch(/^# Plimsoll: issue report\n/);
    for (const line of [
      '## What happened',
      '## What should have happened',
      '## How to reproduce it',
      '- Plimsoll: 0.1.0',
      '- `plimsoll.provider`: offline',
      '- `plimsoll.baseUrl`: set; its value is not shown',
      '- turns: 1',
      '- steps: 1',
      '- passes: 0',
      '- input budget: 20000 tokens',
      '- turns that did not finish: failed',
      '- TypeError',
      '- Error (ENOENT)',
    ])
      expect(report.split('\n')).toContain(line);
    expect(report).toMatch(/^- tokens sent: \d+$/m);
  });

  it('says None for empty sections', () => {
    expect(issueReport(FACTS).match(/^None\.$/gm)).toHaveLength(3);
    expect(sessionNumbers([], new Session({ append: () => undefined }, () => 0).window, 1)).toBe(
      undefined,
    );
  });

  it('shows only numbers, switches and options, and only those that differ', () => {
    expect(told({})).toEqual([]);
    expect(
      told({
        'plimsoll.turn.maxSteps': 7,
        'plimsoll.context.pinTaskAnchor': false,
        'plimsoll.provider': 'a wrong one',
        'plimsoll.model': 'my-own',
        'plimsoll.tools.enabled': ['acme_search'],
      }),
    ).toEqual([
      { name: 'plimsoll.provider' },
      { name: 'plimsoll.model' },
      { name: 'plimsoll.turn.maxSteps', value: '7' },
      { name: 'plimsoll.context.pinTaskAnchor', value: 'false' },
      { name: 'plimsoll.tools.enabled' },
    ]);
  });

  it('never contains a text of the user, wherever it comes from', () => {
    // Not a word of the report itself.
    const privateText = fc
      .string({ minLength: 1, maxLength: 30 })
      .map((text) => `Zq${text.replaceAll(/\s/g, '')}`);
    fc.assert(
      fc.property(privateText, (text) => {
        const session = sessionWith(text);
        const names = Object.keys(SCHEMAS);
        const error = Object.assign(new Error(text), { name: text, code: text, path: text });
        const report = issueReport({
          ...FACTS,
          settings: [
            ...told(Object.fromEntries(names.map((name) => [name, text]))),
            ...told(Object.fromEntries(names.map((name) => [name, { [text]: [text] }]))),
          ],
          session: sessionNumbers(session.events, session.window, 20_000)!,
          errors: [errorKind(error), errorKind(text), errorKind({ message: text })],
        });
        expect(report).not.toContain('Zq');
      }),
      { numRuns: runs(100, 2_000) },
    );
  });
});

describe('the kind of an error', () => {
  it('is a name of ours or of Node, with its code', () => {
    const missing = Object.assign(new Error('/home/me/secret'), { code: 'ENOENT' });
    expect(errorKind(missing)).toBe('Error (ENOENT)');
    expect(errorKind(new TypeError('x'))).toBe('TypeError');
    expect(errorKind('a sentence')).toBe('message');
  });
});
