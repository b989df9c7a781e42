import { describe, expect, it } from 'vitest';
import { TRANSCRIPT_FORMATS } from '../../src/sessions/transcript';
import { inspectionOf } from '../editor/contextPanel/support/inspecting';
import { dated, prompt, started } from '../sessions/support/sampleEvents';
import { jsonl, refusalOf } from './support/drawnTranscript';

/** The bytes of a file, decoded to text as for the importer. */
const read = (bytes: readonly number[]) => Buffer.from(bytes).toString('utf8');
const ascii = (text: string) => [...Buffer.from(text, 'latin1')];

const BESIDE = 'open api_conversation_history.json beside it.';
const ANY =
  'open a session of Claude Code, Codex, pi, Cline, Roo, OpenHands, Gemini CLI, ' +
  'OpenCode, Goose, Copilot CLI, VS Code or mini-swe-agent, a transcript of the Messages API, ' +
  "logged requests to OpenAI's APIs, or a session log of Plimsoll.";

describe('a file that is not a recording', () => {
  it.each<[what: string, text: string, open: string]>([
    [
      'the ui_messages.json of Cline or Roo',
      JSON.stringify([{ ts: 1, type: 'say', say: 'text', text: 'Go' }], null, 2),
      BESIDE,
    ],
    ['the task_metadata.json of Cline', '{"files_in_context": [], "model_usage": []}', BESIDE],
    [
      'the logs.json of Gemini CLI',
      '[{"sessionId":"s","messageId":0,"type":"user","message":"Go"}]',
      'open a session in the folder chats beside it.',
    ],
    [
      "Claude Code's list of prompts",
      jsonl({ display: 'Go', pastedContents: {}, timestamp: 1, project: '/a' }, { display: '' }),
      'open a session in the folder projects beside it.',
    ],
    [
      "Codex's list of prompts",
      jsonl({ session_id: 's', ts: 1, text: 'Go' }),
      'open a rollout in the folder sessions beside it.',
    ],
    [
      'a piece of a session of OpenCode',
      '{"id":"msg_1","sessionID":"ses_1","role":"user"}',
      'write the whole session with `opencode export` and open that.',
    ],
    [
      'a list of OpenHands events alone',
      '[{"action":"run","args":{}}]',
      'open the output.jsonl of their run.',
    ],
    ['a trajectory of SWE-agent, which Plimsoll does not read', '{"trajectory":[]}', ANY],
    [
      'a list of LangChain messages, which Plimsoll does not read',
      '[{"lc":1,"type":"constructor","kwargs":{}}]',
      ANY,
    ],
    ['an export of claude.ai, which Plimsoll does not read', '[{"chat_messages":[]}]', ANY],
    [
      'messages of another API than the Messages API, without the response to them',
      '[{"role":"system","content":""},{"role":"user","content":"Go"}]',
      ANY,
    ],
    [
      'a VS Code settings file',
      '{\n  // Mine.\n  "editor.fontSize": 14,\n  "[markdown]": { "editor.wordWrap": "on" },\n}',
      ANY,
    ],
    ['a VS Code settings file', '{"editor.fontSize": 14}', ANY],
    ['a package.json', '{"name":"a","version":"1.0.0"}', ANY],
    ['JSON without messages', '{"a":1}', ANY],
    ['JSON without messages', '7', ANY],
    ['JSON without messages', '[1,2]', ANY],
    ['lines of JSON without messages', jsonl({ a: 1 }, { a: 2 }), ANY],
    ['an image (PNG)', read([0x89, ...ascii('PNG\r\n\x1a\n'), 0, 0, 0, 13]), ANY],
    ['an image (JPEG)', read([0xff, 0xd8, 0xff, 0xe0, 0, 16, ...ascii('JFIF\0')]), ANY],
    ['an image (GIF)', read(ascii('GIF89a\x01\0')), ANY],
    ['an image (WebP)', read([...ascii('RIFF'), 1, 2, 3, 4, ...ascii('WEBPVP8 ')]), ANY],
    ['a PDF document', '%PDF-1.7\n', ANY],
    ['a zip archive', read(ascii('PK\x03\x04\x14\0')), 'unpack it and open the session in it.'],
    ['a gzip archive', read([0x1f, 0x8b, 8, 0]), 'unpack it and open the session in it.'],
    [
      'a SQLite database',
      read(ascii('SQLite format 3\0\x10\0')),
      'choose the session in Other Agents, or export it as JSON and open that.',
    ],
    [
      'a text in UTF-16',
      read([0xff, 0xfe, ...Buffer.from('{"a":1}', 'utf16le')]),
      'save it as UTF-8 and open it again.',
    ],
    ['a binary file', read([1, 2, 0, 3]), ANY],
    ['a web page', '<!DOCTYPE html>\n<html><body></body></html>', ANY],
    ['an XML file', '<?xml version="1.0"?><a/>', ANY],
    ['a Markdown text', '# Notes\n\nA line.', ANY],
    ['plain text', 'no recording at all', ANY],
  ])('says that it looks like %s, and what to open instead', (what, text, open) => {
    expect(refusalOf(text)).toBe(`session cannot be read: it looks like ${what}; ${open}`);
  });

  it('is refused with advice to export as JSONL if it is an export as HTML', async () => {
    const open = 'export the session as JSONL and open that.';
    const inspection = inspectionOf(dated(started, prompt('Go')));
    const exported = { view: inspection.view(), timeline: inspection.timeline() };
    const { contextHtml } = await import('../../src/editor/contextPanel/exports/contextHtml');
    expect(refusalOf(contextHtml(exported))).toBe(
      'session cannot be read: it looks like an export of the Context panel as HTML, made to be ' +
        `read; ${open}`,
    );
  });

  it('is named by what it looks like only if the format is detected', () => {
    for (const format of TRANSCRIPT_FORMATS) {
      expect(refusalOf('{"a":1}', format)).not.toContain('it looks like');
    }
  });

  it('is still called empty, or broken JSON with its position', () => {
    expect(refusalOf('')).toBe('session cannot be read: it is empty. Give a recorded session.');
    expect(refusalOf('{"messages": [{"role": "us')).toMatch(/the file was cut off/);
    expect(refusalOf('{\n"messages": [}\n}')).toMatch(/line 2, column 14/);
  });
});
