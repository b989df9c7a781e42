import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { demoModel, DEMO_TURNS } from '../../../src/offline/demo/demoModel';
import { readDemoId } from '../../../src/offline/demo/demoPosition';
import type {
  Message,
  MessagesRequest,
  Respond,
  ToolUseBlock,
} from '../../../src/offline/messagesApi';

/** The sample in the repository; tests only ever copy it. */
export const SAMPLE = join(import.meta.dirname, '../../../src/offline/sample');

/** A tool's answer in these tests. */
export interface Result {
  readonly text: string;
  readonly isError: boolean;
}

/** One executed step. */
export interface DrivenStep {
  readonly request: MessagesRequest;
  readonly uses: readonly ToolUseBlock[];
  readonly results: readonly Result[];
}

/** Copies the sample to a new folder in the system's temporary folder. */
export function copySample(): string {
  const dir = mkdtempSync(join(tmpdir(), 'plimsoll-demo-'));
  cpSync(SAMPLE, dir, { recursive: true });
  return dir;
}

/** Deletes such a copy. */
export function removeCopy(dir: string): void {
  rmSync(dir, { recursive: true, force: true });
}

/** Lists the files of a folder, relative and sorted. */
export function filesIn(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(dir, path)).isFile())
    .map((path) => relative('.', path))
    .sort();
}

/** The tools over a real folder, in their simplest form. */
export function toolsIn(dir: string): (use: ToolUseBlock) => Result {
  const whole = new Map<string, string>();
  const run = ({ name, input }: ToolUseBlock): Result => {
    const text = (key: string) => String(input[key] ?? '');
    const path = join(dir, text('path'));
    const ok = (said: string): Result => ({ text: said, isError: false });
    const failed = (said: string): Result => ({ text: said, isError: true });
    switch (name) {
      case 'read_file': {
        const lines = readFileSync(path, 'utf8').split('\n');
        const from = Number(input['start_line'] ?? 1);
        const to = Number(input['end_line'] ?? lines.length);
        return ok(
          lines
            .slice(from - 1, to)
            .map((line, i) => `${from + i}\t${line}`)
            .join('\n'),
        );
      }
      case 'list_files':
        return ok(filesIn(dir).join('\n'));
      case 'search_text': {
        const pattern = new RegExp(text('pattern'));
        const below = text('path');
        const hits = filesIn(dir)
          .filter(
            (file) =>
              file.startsWith(below) && (input['glob'] === undefined || file.endsWith('.js')),
          )
          .flatMap((file) =>
            readFileSync(join(dir, file), 'utf8')
              .split('\n')
              .flatMap((line, i) =>
                pattern.test(line) ? [`${file}:${i + 1}:${line.slice(0, 200)}`] : [],
              ),
          );
        return ok(hits.join('\n'));
      }
      case 'edit_file': {
        const before = readFileSync(path, 'utf8');
        const found = before.split(text('old_text')).length - 1;
        if (found !== 1)
          return failed(`old_text occurs ${found} times in ${text('path')}, not once.`);
        writeFileSync(
          path,
          before.replace(text('old_text'), () => text('new_text')),
        );
        return ok('Edited.');
      }
      case 'create_file':
        if (existsSync(path)) return failed(`${text('path')} is there already.`);
        writeFileSync(path, text('content'));
        return ok('Created.');
      case 'run_command': {
        if (input['background'] === true) return ok('started in the background; it runs as cmd1');
        const done = spawnSync(text('command'), { cwd: dir, shell: true, encoding: 'utf8' });
        const said = `${done.stdout}\nexit code ${done.status}`;
        return done.status === 0 ? ok(said) : failed(said);
      }
      case 'read_output':
      case 'stop_command':
        return text('handle') === 'cmd1' ? ok('running') : failed('No such command.');
      case 'diagnostics':
        return ok('No errors or warnings.');
      case 'update_scratchpad':
        return ok('Noted.');
      case 'recall': {
        const kept = whole.get(text('handle'));
        if (kept === undefined) return failed('No such handle.');
        const offset = Number(input['offset'] ?? 0);
        return ok(kept.slice(offset, offset + Number(input['limit'] ?? 4000)));
      }
      default:
        return failed(`No tool named ${name}.`);
    }
  };
  return (use) => {
    const result = run(use);
    whole.set(use.id, result.text);
    return { ...result, text: capped(result.text) };
  };
}

/**
 * Truncates a result as the product does at 4,000 tokens of about 2.8 characters: head and tail
 * stay.
 */
function capped(text: string): string {
  const cap = 11_200;
  if (text.length <= cap) return text;
  return `${text.slice(0, cap * 0.6)}\n[left out]\n${text.slice(text.length - cap * 0.4)}`;
}

/** Writes the first prompt as the window sends it. */
export function anchor(text: string): string {
  return `<task_anchor note="The original task.">\n${text}\n</task_anchor>`;
}

/** Makes a request body around messages. */
export function requestOf(messages: readonly Message[]): MessagesRequest {
  return { model: 'plimsoll-demo', max_tokens: 2048, system: 'You are Plimsoll.', messages };
}

/** Runs one turn to its end: ask, run the tools, repeat. */
export function drive(
  respond: Respond,
  before: readonly Message[],
  prompt: string,
  tools: (use: ToolUseBlock) => Result,
): {
  readonly steps: readonly DrivenStep[];
  readonly answer: string;
  readonly messages: readonly Message[];
} {
  let messages: readonly Message[] = [
    ...before,
    { role: 'user', content: [{ type: 'text', text: prompt }] },
  ];
  const steps: DrivenStep[] = [];
  for (;;) {
    const request = requestOf(messages);
    const content = respond(request).content.map((part) => {
      if (part.type === 'tool_use') return { ...part, id: part.id ?? 'missing' };
      return part.type === 'thinking' ? { ...part, signature: '' } : part;
    });
    messages = [...messages, { role: 'assistant', content }];
    const uses = content.filter((part) => part.type === 'tool_use');
    if (uses.length === 0) {
      const answer = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      return { steps, answer, messages };
    }
    const results = uses.map(tools);
    steps.push({ request, uses, results });
    messages = [
      ...messages,
      {
        role: 'user',
        content: results.map((result, i) => ({
          type: 'tool_result' as const,
          tool_use_id: uses[i]!.id,
          content: result.text,
          ...(result.isError ? { is_error: true } : {}),
        })),
      },
    ];
    if (steps.length > 100) throw new Error('the script does not end');
  }
}

/** Answers every call as the script expects, without touching a file. */
export function asScripted(use: ToolUseBlock): Result {
  const id = readDemoId(use.id)!;
  const { expect } = DEMO_TURNS[id.turn - 1]!.steps[id.step - 1]!;
  return { text: expect ?? 'ok', isError: expect !== undefined && !expect.endsWith(' 0 failed') };
}

/** A typed message of the user. */
export function user(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** A message of the model. */
export function assistant(text: string): Message {
  return { role: 'assistant', content: [{ type: 'text', text }] };
}

/** The offline model's text. */
export function textOf(messages: readonly Message[], system = 'You are Plimsoll.'): string {
  return demoModel()({ ...requestOf(messages), system })
    .content.map((part) => (part.type === 'text' ? part.text : ''))
    .join('');
}
