import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DEMO_FOLLOW_UPS, DEMO_TASK } from '../../../src/offline/demo/demoPrompts';
import { demoModel } from '../../../src/offline/demo/demoModel';
import type { Message } from '../../../src/offline/messagesApi';
import {
  anchor,
  assistant,
  copySample,
  drive,
  removeCopy,
  requestOf,
  textOf,
  toolsIn,
  user,
} from './demoWorkspace';

const respond = demoModel();
const optionalText = z.string().min(1).optional();
const optionalCount = z.number().int().positive().optional();
const optionalList = z.array(z.string().min(1)).optional();

/** The input schemas of the agent's tools. */
const CONTRACT: Record<string, z.ZodType> = {
  read_file: z.strictObject({
    path: z.string(),
    start_line: optionalCount,
    end_line: optionalCount,
  }),
  list_files: z.strictObject({ path: optionalText, glob: optionalText }),
  search_text: z.strictObject({ pattern: z.string(), path: optionalText, glob: optionalText }),
  edit_file: z.strictObject({
    path: z.string(),
    old_text: z.string(),
    new_text: z.string(),
    replace_all: z.boolean().optional(),
  }),
  create_file: z.strictObject({ path: z.string(), content: z.string() }),
  run_command: z.strictObject({ command: z.string(), timeout_seconds: optionalCount }),
  update_scratchpad: z.strictObject({
    objective: optionalText,
    key_facts: optionalList,
    decisions: optionalList,
    current_step: optionalText,
    blockers: optionalList,
  }),
  recall: z.strictObject({ handle: optionalText, offset: optionalCount, limit: optionalCount }),
};

let dir: string;
let task: ReturnType<typeof drive>;
let followUps: readonly ReturnType<typeof drive>[];

beforeAll(() => {
  dir = copySample();
  const tools = toolsIn(dir);
  task = drive(respond, [], anchor(DEMO_TASK), tools);
  const first = drive(respond, task.messages, DEMO_FOLLOW_UPS[0]!, tools);
  followUps = [first, drive(respond, first.messages, DEMO_FOLLOW_UPS[1]!, tools)];
});
afterAll(() => removeCopy(dir));

const turns = () => [task, ...followUps];
const allUses = () => turns().flatMap((turn) => turn.steps.flatMap((step) => step.uses));
const outcomes = () =>
  task.steps.flatMap((step) =>
    step.uses.flatMap((use, i) =>
      use.input['command'] === 'npm test'
        ? [/\d+ passed, \d+ failed/.exec(step.results[i]!.text)?.[0]]
        : [],
    ),
  );

describe('the task of the demo', () => {
  it('takes 25 steps or more and ends with an answer', () => {
    expect(task.steps.length).toBeGreaterThanOrEqual(25);
    expect(task.answer).toContain('63 passed, 0 failed');
  });

  it('sees the tests red, partly red, green, and green with the new checks', () => {
    expect(outcomes()).toEqual([
      '36 passed, 24 failed',
      '51 passed, 9 failed',
      '60 passed, 0 failed',
      '63 passed, 0 failed',
    ]);
  });

  it('edits two files and creates two', () => {
    const changes = allUses().filter((use) => ['edit_file', 'create_file'].includes(use.name));
    expect(changes.map((use) => use.input['path'])).toEqual([
      'src/loadLine.js',
      'src/deckPlan.js',
      'test/regressions.js',
      'CHANGELOG.md',
    ]);
  });

  it('calls tools in parallel in two steps or more', () => {
    expect(task.steps.filter((step) => step.uses.length > 1).length).toBeGreaterThanOrEqual(2);
  });

  it('puts more than 60,000 tokens of 2.8 characters into the window, after the cap', () => {
    const fed = turns().map((turn) =>
      turn.steps.flatMap((step) => step.results).reduce((sum, { text }) => sum + text.length, 0),
    );
    expect(fed.reduce((sum, chars) => sum + chars, 0) / 2.8).toBeGreaterThan(60_000);
  });

  it('recalls the middle of a truncated run', () => {
    const step = task.steps.find(({ uses }) => uses[0]!.name === 'recall')!;
    expect(step.results[0]).toMatchObject({ isError: false });
    expect(step.results[0]!.text).toContain('low 114');
  });
});

describe('the follow-up questions', () => {
  it('are answered after one to three reads in a step', () => {
    for (const turn of followUps) {
      expect(turn.steps.length).toBeGreaterThanOrEqual(1);
      for (const step of turn.steps) {
        expect(step.uses.length).toBeLessThanOrEqual(3);
        for (const result of step.results) expect(result.isError).toBe(false);
      }
    }
    expect(followUps[0]!.answer).toContain('seasonLabel');
    expect(followUps[1]!.answer).toContain('CENTS_PER_METRE');
  });

  it('are recognised in other wordings', () => {
    expect(textOf([user('is the LEGACY  module wrong too?')])).toBe(
      textOf([user(DEMO_FOLLOW_UPS[0]!)]),
    );
    expect(textOf([user('what about a new deck?')])).toBe(textOf([user(DEMO_FOLLOW_UPS[1]!)]));
  });
});

describe('tool calls', () => {
  it('match the schemas of the tools', () => {
    for (const use of allUses()) CONTRACT[use.name]!.parse(use.input);
  });

  it('have valid ids, each one once', () => {
    const ids = allUses().map((use) => use.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
  });

  it('get new ids when the same task is typed again', () => {
    const again = respond(requestOf([...task.messages, user(DEMO_TASK)]));
    const ids = again.content.flatMap((part) => (part.type === 'tool_use' ? [part.id] : []));
    expect(ids).toHaveLength(1);
    expect(allUses().map((use) => use.id)).not.toContain(ids[0]);
  });

  it('succeed unless the tests are red', () => {
    for (const step of turns().flatMap((turn) => turn.steps)) {
      step.results.forEach((result, i) => {
        if (result.isError)
          expect(result.text, step.uses[i]!.id).toMatch(/passed, [1-9]\d* failed/);
      });
    }
  });
});

describe('a managed window', () => {
  it('changes nothing: anchor, summary, newest prompt and last step are enough', () => {
    turns().forEach((turn, index) => {
      const prompt =
        [task, ...followUps][index] === task ? [] : [user(DEMO_FOLLOW_UPS[index - 1]!)];
      for (const { request } of turn.steps.slice(1)) {
        const managed = [
          user(anchor(DEMO_TASK)),
          assistant('[Summary of 12 earlier blocks that left the context window]\nSome text.'),
          ...prompt,
          ...request.messages.slice(-2),
        ];
        expect(respond(requestOf(managed))).toEqual(respond(request));
      }
    });
  });

  it('changes nothing at a new prompt except the mark of the run', () => {
    const managed = [
      user(anchor(DEMO_TASK)),
      assistant('[Scratchpad at the last pass]\nx'),
      user(DEMO_FOLLOW_UPS[0]!),
    ];
    expect(textOf(managed)).toBe(textOf([...task.messages, user(DEMO_FOLLOW_UPS[0]!)]));
  });

  it('does not mistake the anchor or a note of the product for the newest prompt', () => {
    const first = user(anchor(DEMO_TASK));
    const merged: Message = {
      role: 'user',
      content: [
        { type: 'text', text: anchor(DEMO_TASK) },
        { type: 'text', text: DEMO_FOLLOW_UPS[1]! },
      ],
    };
    expect(textOf([merged])).toBe(textOf([user(DEMO_FOLLOW_UPS[1]!)]));
    expect(
      textOf([first, user('[The earlier part of this session has left the context window.]')]),
    ).toBe(textOf([first]));
    const step = task.steps[1]!.request.messages;
    for (const text of ['[Reminder, no request: x]', '[The user changed your scratchpad. x]']) {
      expect(textOf([...step, user(text)])).toBe(textOf(step));
    }
  });

  it('starts the new turn when a prompt follows a stopped tool', () => {
    const stopped: Message = {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: task.steps[3]!.uses[0]!.id,
          content: 'Stopped by the user.',
          is_error: true,
        },
        { type: 'text', text: DEMO_FOLLOW_UPS[0]! },
      ],
    };
    const messages = [
      ...task.steps[3]!.request.messages,
      { role: 'assistant' as const, content: task.steps[3]!.uses },
      stopped,
    ];
    expect(textOf(messages)).toBe(textOf([user(DEMO_FOLLOW_UPS[0]!)]));
  });
});
