import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const FOLDER = resolve(__dirname, '../../../shared/transcripts');

/** Whether the recordings of real sessions are beside the checkout; says it if not. */
export const hasReal = existsSync(FOLDER);

if (!hasReal) console.log(`No recordings in ${FOLDER}: the tests with real ones are skipped.`);

/** Of several agents; some compacted, one changed its model, and passes run in most. */
export const REAL_RECORDINGS = [
  'claude-code/entireio-cli/sonnet45-983msg-c1.jsonl',
  'claude-code/entireio-cli/opus45-483msg-micro2-c1.jsonl',
  'claude-code/oh-my-posh/sonnet5-727msg-par11.jsonl',
  'claude-code-2/entireio-cli/b82405ba-45edits.jsonl',
  'claude-code-2/oh-my-posh/d1ffb512-79edits.jsonl',
  'claude-code-2/cipher-box/71b7117f-48edits.jsonl',
  'codex/session-bridge/gpt54-294lines.jsonl',
  'opencode/session-bridge/sonnet46-74msg-compaction.json',
  'pi/pi-mono/large-session.jsonl',
  'copilot-cli/agentv/sonnet46-53calls.jsonl',
  'gemini-cli/session-bridge/gemini3flash-14msg.json',
  'cline/session.messages.json',
  'roo/natural-already-condensed/api_conversation_history.json',
  'mini-swe-agent/deepseek-chat-astropy-12907-130msg.traj.json',
];

/** The path of one of them. */
export const realRecording = (name: string): string => resolve(FOLDER, name);
