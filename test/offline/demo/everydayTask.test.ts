import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachedName, promptWithAttached } from '../../../src/contextWindow/attached';
import type { Block } from '../../../src/contextWindow/block';
import { type Mode, modeNote } from '../../../src/contextWindow/mode';
import { PersistentList } from '../../../src/contextWindow/persistentList';
import { demoModel } from '../../../src/offline/demo/demoModel';
import { EVERYDAY_TASK, SCOUT_TASK } from '../../../src/offline/demo/demoPrompts';
import {
  EVERYDAY_CHECKS,
  EVERYDAY_PLAN_TURN,
  EVERYDAY_TURN,
} from '../../../src/offline/demo/everydayTask';
import { toolbox } from '../../../src/tools/toolbox';
import { PROMPT } from '../../harness/demo/everydayTask.mjs';
import { opus, startDouble } from '../double';
import { anchor, copySample, drive, removeCopy, textOf, toolsIn, user } from './demoWorkspace';

const TOOLS = toolbox([], { hasProblems: true }).map(({ definition }) => definition);
const MENTION = promptWithAttached({
  typed: EVERYDAY_TASK,
  attached: [
    { kind: 'file', name: attachedName('src/units.js'), text: 'fix the tests of legacy/' },
  ],
});

let dir: string;
let task: ReturnType<typeof drive>;
beforeAll(() => {
  dir = copySample();
  task = drive(demoModel(), [], MENTION, toolsIn(dir));
});
afterAll(() => removeCopy(dir));

const uses = () => task.steps.flatMap((step) => step.uses);

describe('the everyday task', () => {
  it('is recognised by what the driver types, and by the start of its plan', () => {
    const [first] = EVERYDAY_TURN.steps;
    expect(textOf([user(PROMPT)])).toContain(first!.say);
    expect(textOf([user('Carry out the plan.')])).toContain(first!.say);
  });

  it('ends with a plan in plan mode, and only there', () => {
    const [plan, ask] = ['plan', 'ask'] as const;
    const told = (mode: Mode) =>
      user(modeNote({ mode, blocks: PersistentList.of<Block>() })?.text ?? '[Mode: ask.]');
    const [look] = EVERYDAY_PLAN_TURN.steps;
    expect(textOf([told(plan), user(PROMPT)])).toContain(look!.say);
    expect(textOf([user(PROMPT), told(plan)])).toContain(look!.say);
    expect(textOf([told(plan), told(ask), user(PROMPT)])).not.toContain(look!.say);
    const planned = drive(demoModel(), [told(plan)], PROMPT, () => ({ text: '', isError: false }));
    expect(planned.answer).toMatch(/^# Short tons/);
    expect(planned.steps.flatMap(({ uses: calls }) => calls.map(({ name }) => name))).toEqual([
      'skill',
      'task',
    ]);
  });

  it('plans without the skill and the sub-agent of the project, too', () => {
    const without = drive(demoModel(), [user('[Mode: plan.]')], PROMPT, () => ({
      text: 'There is no skill "units".',
      isError: true,
    }));
    expect(without.answer).toMatch(/^# Short tons/);
  });

  it('has a sub-agent whose findings are those of the sample', () => {
    const scout = drive(demoModel(), [], SCOUT_TASK, toolsIn(dir));
    const found = scout.steps[0]!.results[0]!.text.split('\n');
    const calls = found.filter((line) => line.startsWith('src/manifest.js') && line.includes('('));
    expect(calls.map((line) => line.split(':')[1])).toEqual(['19']);
    expect(scout.answer).toContain('line 19 calls');
  });

  it('is recognised by its own text, as the task and as a later prompt, with any mentions', () => {
    const first = EVERYDAY_TURN.steps[0]!;
    expect(textOf([user(MENTION)])).toContain(first.say);
    expect(textOf([user(anchor(MENTION))])).toContain(first.say);
    expect(textOf([user('Take short tons, too')])).toContain(first.say);
  });

  it("calls the agent's tools with valid inputs", () => {
    for (const { name, input } of uses()) {
      const schema = TOOLS.find((tool) => tool.name === name)?.inputSchema;
      const { properties = {}, required = [] } = schema as {
        properties?: Record<string, unknown>;
        required?: readonly string[];
      };
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(input)));
      expect(Object.keys(input)).toEqual(expect.arrayContaining([...required]));
    }
  });

  it('ends with nine checks that pass', () => {
    for (const { results, uses: calls } of task.steps) {
      results.forEach((result, at) =>
        expect(result, calls[at]!.id).toMatchObject({ isError: false }),
      );
    }
    expect(task.answer).toContain('9 checks pass, 0 fail');
    const again = spawnSync(process.execPath, ['test/run.js', '--only', 'manifest,units'], {
      cwd: dir,
      encoding: 'utf8',
    });
    expect(again.stdout).toContain('9 passed, 0 failed');
  });

  it('makes a mistake that every run of the checks finds, and fixes it', () => {
    const scratch = copySample();
    const run = toolsIn(scratch);
    const edits = uses().filter(({ name }) => name === 'edit_file');
    const outcomes = edits.map((edit) => {
      run(edit);
      const done = spawnSync(process.execPath, ['--check', join(scratch, 'src/units.js')]);
      return done.status;
    });
    removeCopy(scratch);
    expect(outcomes).toEqual([0, 1, 0]);
  });

  it('runs npm test twice, and the rule for the first run covers the second', () => {
    const commands = uses().map(({ input }) => input['command']);
    expect(commands.filter((command) => String(command).startsWith('npm test '))).toEqual(
      EVERYDAY_CHECKS,
    );
  });

  it('reads and stops the command by the handle from its start, in a later session too', () => {
    const [begun] = task.steps;
    const tools = toolsIn(dir);
    const other = drive(demoModel(), [], EVERYDAY_TASK, (use) =>
      use.input['background'] === true
        ? { text: 'started in the background; it runs as cmd7: read_output', isError: false }
        : use.name === 'edit_file' || use.name === 'create_file' || 'handle' in use.input
          ? { text: 'ok', isError: false }
          : tools(use),
    );
    const handles = (turn: typeof task) =>
      turn.steps.flatMap((step) => step.uses.flatMap(({ input }) => input['handle'] ?? []));
    expect(begun!.uses[1]!.input['background']).toBe(true);
    expect(handles(task)).toEqual(['cmd1', 'cmd1', 'cmd1']);
    expect(handles(other)).toEqual(['cmd7', 'cmd7', 'cmd7']);
  });

  it("does not mistake the product's notes on commands and files for a prompt", () => {
    const messages = task.steps[1]!.request.messages;
    for (const text of [
      'A background command has ended:\n- cmd1 (x): exit code 1.',
      'The user restored files to an earlier version. What you know of these is out of date: changes. x',
    ]) {
      expect(textOf([...messages, user(text)])).toBe(textOf(messages));
    }
  });

  it('thinks if the request turns thinking on, and passes the strict server with every request', async () => {
    const { client } = await startDouble(demoModel());
    const kinds: string[][] = [];
    for (const thinking of [{ type: 'adaptive', display: 'summarized' }, undefined]) {
      let messages: Anthropic.MessageParam[] = [{ role: 'user', content: MENTION }];
      for (;;) {
        const reply = await client.messages.create({
          model: thinking === undefined ? 'claude-haiku-4-5' : opus,
          max_tokens: 2048,
          tools: TOOLS.map(({ name, description, inputSchema }) => ({
            name,
            description,
            input_schema: inputSchema as Anthropic.Tool.InputSchema,
          })),
          messages,
          ...(thinking === undefined ? {} : ({ thinking } as object)),
        });
        kinds.push(reply.content.map(({ type }) => type));
        const calls = reply.content.filter((part) => part.type === 'tool_use');
        if (calls.length === 0) break;
        const step = EVERYDAY_TURN.steps.find(({ say }) =>
          reply.content.some((part) => part.type === 'text' && part.text === say),
        );
        messages = [
          ...messages,
          { role: 'assistant', content: reply.content },
          {
            role: 'user',
            content: calls.map(({ id }) => ({
              type: 'tool_result' as const,
              tool_use_id: id,
              content: step?.expect ?? 'goes on as cmd1',
            })),
          },
        ];
      }
    }
    const thoughts = EVERYDAY_TURN.steps.filter(({ think }) => think !== undefined).length;
    const steps = EVERYDAY_TURN.steps.length + 1;
    expect(kinds).toHaveLength(2 * steps);
    expect(kinds.slice(0, steps).filter((types) => types[0] === 'thinking')).toHaveLength(thoughts);
    expect(kinds.slice(steps).flat()).not.toContain('thinking');
  });

  it('stops if the checks end differently', () => {
    const { answer } = drive(demoModel(), [], EVERYDAY_TASK, (use) => ({
      text: String(use.input['command']).startsWith('npm') ? '6 passed, 1 failed' : 'ok',
      isError: false,
    }));
    expect(answer).toContain('expects `7 passed, 0 failed`');
  });
});
