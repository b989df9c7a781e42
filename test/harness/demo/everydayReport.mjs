/**
 * Reports what the everyday task shows: one entry a part, with what the logs hold of it.
 *
 * `events` is the log of the session before the user went back, `later` what was logged afterwards.
 */
export function everydayReport({ events, later, requests }) {
  const of = (type) => events.filter((event) => event.type === type);
  const replies = of('replyReceived').flatMap((event) => event.parts);
  const uses = new Map(
    replies.flatMap((part) => (part.type === 'toolUse' ? [[part.use.id, part.use]] : [])),
  );
  const results = of('toolFinished').map(({ toolUseId, ...rest }) => ({
    ...rest,
    name: uses.get(toolUseId)?.name,
  }));
  const resultsOf = (tool) => results.filter(({ name }) => name === tool);
  const sent = JSON.stringify(requests);
  const holds = (text) => sent.includes(JSON.stringify(text).slice(1, -1));

  const modes = of('modeSet').map(({ mode }) => mode);
  const ends = indicesOf(events, 'turnEnded');
  const changedInPlan = events.slice(0, ends[0]).some(({ type }) => type === 'filesChanged');
  const [skill] = resultsOf('skill');
  const inside = of('subAgentEvent').map(({ event }) => event);
  const insideOf = (type) => inside.filter((event) => event.type === type);
  const [scout] = insideOf('sessionStarted').map(({ subAgent }) => subAgent);
  const thoughts = replies.filter(({ type, thinking }) => type === 'thinking' && thinking !== '');
  const [slip, mended] = resultsOf('diagnostics').map(({ text }) => text);
  const [broken, passing] = resultsOf('read_output').map(({ text }) => text);
  const stopped = of('commandEnded').filter(({ because }) => because === 'agent');
  const unasked = results.filter(({ allowedBy = [] }) => allowedBy.join().includes('npm test'));
  const outcomes = of('turnEnded').map(({ outcome }) => outcome.type);
  const afterwards = events.slice((ends.at(-1) ?? events.length) + 1);
  const undone = afterwards.filter(({ type }) => type === 'filesRestored');
  // The log repeats a turn's files when some are kept or undone.
  const answered = afterwards.filter(({ type }) => type === 'turnFiles').length;
  const restored = later.flatMap(({ type, files = [] }) =>
    type === 'filesRestored' ? files.map(({ path }) => path) : [],
  );
  const parts = [
    {
      what: 'plan mode',
      isSo: modes.join() === 'plan,ask' && !changedInPlan,
      found: `the modes were ${modes.join(', ')}; ${changedInPlan ? 'a file' : 'no file'} changed before the plan`,
    },
    {
      what: 'a custom command',
      isSo: of('promptSubmitted').some(({ text }) => text.includes(COMMAND)) && holds(COMMAND_TEXT),
      found: holds(COMMAND_TEXT) ? 'its text was sent with its arguments' : 'its text was not sent',
    },
    {
      what: 'a mentioned file',
      isSo: of('promptSubmitted').some(({ text }) => text.includes(MENTION)) && holds(MENTION),
      found: holds(MENTION) ? 'its text was sent behind the prompt' : 'its text was not sent',
    },
    {
      what: 'a skill',
      isSo: skill?.text.includes('one entry of TONNES') === true,
      found: firstLine(skill?.text),
    },
    {
      what: 'a sub-agent',
      isSo: scout === 'scout' && insideOf('replyReceived').length === 2,
      found: `${scout ?? 'none'}, with ${insideOf('replyReceived').length} steps in a window of its own`,
    },
    { what: 'thinking', isSo: thoughts.length > 0, found: `${thoughts.length} times in words` },
    {
      what: 'a background command',
      isSo:
        of('commandStarted').length === 1 &&
        broken?.includes('SyntaxError') === true &&
        passing?.includes('7 passed, 0 failed') === true &&
        stopped.length === 1,
      found: `${of('commandStarted').length} started, ${stopped.length} stopped by the agent; it said "${lineWith('Error', broken)}", then "${lineWith('passed', passing)}"`,
    },
    {
      what: 'a problem from the editor',
      isSo: slip?.includes("'}' expected") === true && mended?.startsWith('No errors') === true,
      found: `"${lineWith('error', slip)}", then "${firstLine(mended)}"`,
    },
    {
      what: 'an approval rule',
      isSo: of('ruleSet').length === 1 && unasked.length > 0,
      found: `${of('ruleSet').length} made, calls that ran unasked by it: ${unasked.length}`,
    },
    {
      what: 'the ends of the turns',
      isSo: outcomes.join() === 'finished,finished',
      found: outcomes.join(', '),
    },
    {
      what: 'Keep and Undo in the file',
      isSo: undone.length === 1 && answered === 2,
      found: `${answered} answers in the log, ${undone.length} of them an Undo`,
    },
    {
      what: 'a step undone with its files',
      isSo: ['src/units.js', 'test/units.js'].every((path) => restored.includes(path)),
      found: `restored: ${[...new Set(restored)].join(', ')}`,
    },
  ];
  return { parts };
}

/** The beginning of the mentioned file in a request. */
const MENTION = '<attached kind="file" name="src/units.js"';

/** The beginning of the custom command in a request, and its first line with its arguments. */
const COMMAND = '<attached kind="command" name=".plimsoll/commands/add-unit.md"';
const COMMAND_TEXT = 'Add the unit "ston" to src/units.js: ston Some agents';

function indicesOf(events, type) {
  return events.flatMap((event, at) => (event.type === type ? [at] : []));
}

function firstLine(text = '(nothing)') {
  return text.trim().split('\n')[0];
}

function lineWith(word, text = '(nothing)') {
  const lines = text.split('\n');
  return (lines.find((line) => line.includes(word)) ?? lines[0]).trim();
}
