import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importTranscript } from '../../src/recordings/importTranscript';
import type { Transcript } from '../../src/sessions/transcript';
import { tokensByLength } from './support/drawnTranscript';

const FOLDER = resolve(__dirname, '../../../shared/transcripts');
const INDEX = join(FOLDER, 'INDEX.tsv');

/** The index formats that are read, and the format each is read as. */
const READ_AS: Readonly<Record<string, Transcript['format']>> = {
  'claude-code-jsonl': 'claude-code',
  'pi-session-jsonl': 'pi',
  'cline-sdk-session': 'cline',
  'cline-api-history': 'roo',
  'openhands-llm-log': 'openhands',
  'codex-rollout-jsonl': 'codex',
  'opencode-export-json': 'opencode',
  'gemini-cli-session-json': 'gemini-cli',
  'copilot-cli-events-jsonl': 'copilot-cli',
  'mini-swe-agent-traj': 'mini-swe-agent',
};

interface Row {
  readonly file: string;
  readonly format: string;
  /** The index's own counts; missing for some files. */
  readonly counted?: {
    readonly pairs: number;
    readonly orphans: number;
    readonly maxContext: number;
  };
}

function rows(): readonly Row[] {
  if (!existsSync(INDEX)) return [];
  const lines = readFileSync(INDEX, 'utf8').trim().split('\n').slice(1);
  return lines.map((line) => {
    const cells = line.split('\t');
    const row = { file: cells[0]!, format: cells[5]! };
    if (cells[7] === undefined || cells[7] === '') return row;
    const [pairs, maxContext, orphans] = [7, 11, 12].map((cell) => Number(cells[cell]));
    return { ...row, counted: { pairs: pairs!, maxContext: maxContext!, orphans: orphans! } };
  });
}

const ROWS = rows();
if (ROWS.length === 0) console.log(`No recordings in ${FOLDER}: these tests are skipped.`);

function imported(file: string) {
  return importTranscript(readFileSync(join(FOLDER, file), 'utf8'), 'auto', file, tokensByLength);
}

describe.skipIf(ROWS.length === 0)('recordings of real sessions', () => {
  const readable = ROWS.filter(({ format }) => format in READ_AS);

  it.each(readable)('$file is read completely', ({ file, format, counted }) => {
    const result = imported(file);
    if (!result.ok) throw new Error(result.message);
    const { entries, ...transcript } = result.transcript;
    expect(transcript.format).toBe(READ_AS[format]);
    expect(entries[0]?.type).toBe('prompt');

    const replies = entries.flatMap((entry) => (entry.type === 'reply' ? [entry] : []));
    const calls = replies.map(({ parts }) =>
      parts.flatMap((part) => (part.type === 'toolUse' ? [part.use.id] : [])),
    );
    expect(replies.map(({ results }) => results.map(({ toolUseId }) => toolUseId))).toEqual(calls);
    expect(replies.every(({ parts }) => parts.length > 0)).toBe(true);
    const ids = calls.flat();
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[a-zA-Z0-9_-]+$/.test(id))).toBe(true);

    if (counted === undefined) return;
    const { pairs, orphans, maxContext } = counted;
    const ran = replies
      .flatMap(({ results }) => results)
      .filter(({ origin }) => origin === 'ran').length;
    // Roo writes calls in the text. Calls of subagents in a main agent's file are omitted.
    const expected = format === 'cline-api-history' ? 0 : pairs;
    const ofSubagents = file.endsWith('sidechain.jsonl') ? 8 : 0;
    expect(ran).toBe(expected - ofSubagents);
    const answered = format === 'openhands-llm-log' ? 1 : orphans;
    expect(ids.length - ran).toBe(answered);

    const sent = replies.map(({ usage }) =>
      usage === undefined
        ? 0
        : usage.inputTokens + usage.cacheCreationTokens + usage.cacheReadTokens,
    );
    expect(Math.max(...sent)).toBeLessThanOrEqual(maxContext);
    expect(Math.max(...sent)).toBeGreaterThanOrEqual(maxContext * 0.7);
  });

  /** How the refused formats are described, and which file to open instead. */
  const SAID: Readonly<Record<string, RegExp>> = {
    'cline-ui-messages':
      /the ui_messages\.json of Cline or Roo; open api_conversation_history\.json/,
    'langchain-messages-json': /a list of LangChain messages, which Plimsoll does not read; open a/,
  };

  it.each(ROWS.filter(({ format }) => !(format in READ_AS)))(
    '$file is refused with what it looks like and what to open instead',
    ({ file, format }) => {
      const result = imported(file);
      const said = result.ok ? 'read' : result.message;
      expect(said).toContain(`${file} cannot be read: it looks like `);
      expect(said).toMatch(SAID[format]!);
    },
  );

  it('reads usage, results and the compaction of an OpenCode session', () => {
    const result = imported('opencode/session-bridge/sonnet46-74msg-compaction.json');
    if (!result.ok) throw new Error(result.message);
    const { entries, notes } = result.transcript;
    const replies = entries.flatMap((entry) => (entry.type === 'reply' ? [entry] : []));
    expect(replies).toHaveLength(68);
    expect(replies.every(({ usage, at }) => usage !== undefined && at !== undefined)).toBe(true);
    expect(replies[0]!.usage).toMatchObject({ inputTokens: 14_979, outputTokens: 168 });
    expect(entries.filter(({ type }) => type === 'compacted')).toHaveLength(1);
    expect(replies.flatMap(({ results }) => results).filter(({ isError }) => isError)).toHaveLength(
      1,
    );
    expect(notes).toEqual([
      // The thinking in the summary's reply is not counted, since that reply is not a step.
      '26 thinking blocks skipped: thinking is signed for the server that wrote it.',
      '1 injected text skipped.',
    ]);
  });

  it('reads usage and results of a Gemini CLI session', () => {
    const result = imported('gemini-cli/session-bridge/gemini3flash-14msg.json');
    if (!result.ok) throw new Error(result.message);
    const { entries } = result.transcript;
    expect(entries.filter(({ type }) => type === 'prompt')).toHaveLength(3);
    const replies = entries.flatMap((entry) => (entry.type === 'reply' ? [entry] : []));
    const sums = replies.map(({ usage }) => Object.values(usage!).reduce((a, b) => a + b, 0));
    expect(sums.slice(0, 3)).toEqual([19_775, 19_985, 20_394]);
    expect(replies[0]!.results[0]!.text).toMatch(/^Output: -rw/);
  });

  it('reads the system prompt and the results of a Copilot CLI session', () => {
    const result = imported('copilot-cli/agentv/sonnet46-53calls.jsonl');
    if (!result.ok) throw new Error(result.message);
    const { entries, system } = result.transcript;
    expect(system).toMatch(/^You are the GitHub Copilot CLI/);
    const results = entries.flatMap((entry) => (entry.type === 'reply' ? entry.results : []));
    expect(results.filter(({ isError }) => isError)).toHaveLength(1);
    expect(entries.every(({ at }) => at !== undefined)).toBe(true);
  });

  it('places the compactions of Claude Code where they happened', () => {
    const result = imported('claude-code/entireio-cli/opus45-483msg-micro2-c1.jsonl');
    if (!result.ok) throw new Error(result.message);
    const compacted = result.transcript.entries.flatMap((entry) =>
      entry.type === 'compacted' ? [entry] : [],
    );
    expect(compacted.map(({ line }) => line)).toEqual([215, 352, 483]);
    expect(compacted.map(({ clearedToolUseIds }) => clearedToolUseIds?.length)).toEqual([
      9,
      18,
      undefined,
    ]);
    expect(compacted[2]?.summary).toMatch(/^This session is being continued/);
  });

  it('contain requests that are read, except those without a reply', () => {
    const file = join(FOLDER, 'anthropic-pairs/pairs.jsonl');
    const read = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => {
        const { request } = JSON.parse(line) as { readonly request: unknown };
        const result = importTranscript(JSON.stringify(request), 'messages', 'it', tokensByLength);
        return result.ok ? 'read' : result.message;
      });
    expect(new Set(read)).toEqual(
      new Set([
        'read',
        'it cannot be read: as a messages recording it holds no reply. ' +
          'Open it after the first reply, or check that it is whole and in that format.',
        'it cannot be read: line 1: as a messages recording it holds no reply with a text or a call. ' +
          'Check that it is whole.',
      ]),
    );
    expect(read.filter((one) => one === 'read').length).toBeGreaterThan(20);
  });
});
