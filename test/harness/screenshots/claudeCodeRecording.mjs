import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const TASK =
  'The stability report rounds too early: displacement and KG are off by a tenth. Find out why, mend it, and add a test.';

const SUMMARY = `This session is being continued from a previous conversation that ran out of context.

Done: units.js rounds in convert(); stability.js and report.js call it twice. Rounding now happens in report.js alone.
Open: test/stability.js needs a case with KG 7.849; run node test/run.js after that.`;

/** Rounds of work in the recording; each reads, searches, edits and runs the tests. */
const ROUNDS = 6;

/** The round after which the recorded agent compacted its window. */
const COMPACTED_AFTER = 4;

/** Characters of its system prompt and tools. */
const PREAMBLE = 16_000;

const FILES = [
  'src/units.js',
  'src/stability.js',
  'src/report.js',
  'src/loadLine.js',
  'test/stability.js',
  'test/loadLine.js',
];

/**
 * Makes a Claude Code session of a few dozen steps on the sample workspace, with one compaction.
 */
export function claudeCodeRecording(workspace) {
  const lines = [];
  let steps = 0;
  // Characters in the recorded agent's window, and the number of them in its prompt cache.
  let held = PREAMBLE;
  let cached = 0;
  const push = (line) => {
    lines.push({ uuid: `line-${lines.length + 1}`, sessionId: 'sample', ...line });
  };
  const user = (content, more = {}) => push({ type: 'user', message: { content }, ...more });
  const step = (text, name, input, result) => {
    steps += 1;
    const said = [
      { type: 'text', text },
      ...(name === undefined ? [] : [{ type: 'tool_use', id: `toolu_${steps}`, name, input }]),
    ];
    push({
      type: 'assistant',
      message: {
        id: `msg_${steps}`,
        model: 'claude-sonnet-4-5',
        content: said,
        usage: {
          input_tokens: 4,
          cache_creation_input_tokens: Math.round((held - cached) / 4),
          cache_read_input_tokens: Math.round(cached / 4),
          output_tokens: Math.round(JSON.stringify(said).length / 4),
        },
      },
    });
    cached = held;
    held += JSON.stringify(said).length;
    if (name === undefined) return;
    held += result.length;
    user([{ type: 'tool_result', tool_use_id: `toolu_${steps}`, content: result }]);
  };
  const read = (file) =>
    step(`I read ${file}.`, 'Read', { file_path: file }, numbered(workspace, file));

  user(TASK);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const file of FILES.slice(round % 2)) read(file);
    step('Who else rounds?', 'Grep', { pattern: 'toFixed|round\\(' }, found(workspace));
    step(
      'Rounding belongs into the report alone.',
      'Edit',
      { file_path: 'src/units.js', old_string: `round${round}(`, new_string: 'exact(' },
      'The file src/units.js has been updated.',
    );
    step('I run the tests.', 'Bash', { command: 'node test/run.js' }, testRun(round));
    if (round === COMPACTED_AFTER) {
      push({ type: 'system', subtype: 'compact_boundary' });
      user(SUMMARY, { isCompactSummary: true });
      held = PREAMBLE + SUMMARY.length;
      cached = PREAMBLE;
    }
    if (round === 3) {
      step('The report is right now; the test for KG 7.849 is still missing.');
      user('Add that test too, and look whether the tariff has the same fault.');
    }
  }
  step('Rounding happens in report.js alone, and a test holds it there.');
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

/** The text of a file as that agent gets it. */
function numbered(workspace, file) {
  return textOf(workspace, file)
    .split('\n')
    .map((line, index) => `${String(index + 1).padStart(6)}\t${line}`)
    .join('\n');
}

function found(workspace) {
  return FILES.flatMap((file) =>
    textOf(workspace, file)
      .split('\n')
      .map((line, index) => `${file}:${index + 1}:${line}`)
      .filter((line) => /toFixed|round/i.test(line)),
  ).join('\n');
}

function testRun(round) {
  const results = FILES.map((file) => `ok   ${file} (${round * 3} checks)`);
  return [...results, round < ROUNDS ? '1 failed' : 'all passed'].join('\n');
}

function textOf(workspace, file) {
  return readFileSync(join(workspace, file), 'utf8');
}
