/**
 * Checks that the log has an event for each thing the everyday task must show; returns the faults,
 * one sentence each.
 */
export function wrongInEveryday(events, requests) {
  const of = (type) => events.filter((event) => event.type === type);
  const parts = of('replyReceived').flatMap((event) => event.parts);
  const names = new Map(
    parts.flatMap((part) => (part.type === 'toolUse' ? [[part.use.id, part.use.name]] : [])),
  );
  const results = of('toolFinished').map(({ toolUseId, ...rest }) => ({
    name: names.get(toolUseId),
    ...rest,
  }));
  const textsOf = (tool) => results.filter(({ name }) => name === tool).map(({ text }) => text);
  const [slip = '', mended = ''] = textsOf('diagnostics');
  const outputs = textsOf('read_output');
  const thoughts = parts.filter(({ type, thinking }) => type === 'thinking' && thinking !== '');
  const outcomes = of('turnEnded').map(({ outcome }) => outcome.type);
  const restored = of('filesRestored').flatMap(({ files }) => files.map(({ path }) => path));
  const unasked = results.filter(({ allowedBy = [] }) => allowedBy.join().includes('npm test'));
  const checks = [
    [
      of('promptSubmitted').some(({ text }) => text.includes(MENTION)) &&
        requests.some((body) =>
          JSON.stringify(body).includes(JSON.stringify(MENTION).slice(1, -1)),
        ),
      'The mentioned file was not sent with the prompt.',
    ],
    [thoughts.length > 0, 'The model showed no thinking in words.'],
    [of('commandStarted').length === 1, 'No command was started in the background.'],
    [slip.includes(PROBLEM), `The editor did not report the slip. It said: ${slip}`],
    [mended.startsWith('No errors'), `The editor reports the slip once mended: ${mended}`],
    [
      outputs[0]?.includes('SyntaxError') === true,
      `The watcher did not tell of the slip. It said: ${outputs[0]}`,
    ],
    [
      outputs[1]?.includes('7 passed, 0 failed') === true,
      `The watcher did not see the checks pass. It said: ${outputs[1]}`,
    ],
    [
      of('commandEnded').some(({ because }) => because === 'agent'),
      'The command in the background was not stopped by the agent.',
    ],
    [of('ruleSet').length === 1, 'The yes did not become a rule of the session.'],
    [unasked.length > 0, 'No later call ran unasked by the rule.'],
    [
      outcomes.length === 1 && outcomes[0] === 'finished',
      `The turn did not finish: ${outcomes.join(', ')}.`,
    ],
    [
      ['src/units.js', 'test/units.js'].every((path) => restored.includes(path)),
      `Not both files were put back, only: ${restored.join(', ')}.`,
    ],
  ];
  return checks.flatMap(([isSo, what]) => (isSo ? [] : [what]));
}

/** The beginning of the mentioned file in a request. */
const MENTION = '<attached kind="file" name="src/units.js"';

/** The editor's message about a function that is not closed. */
const PROBLEM = "'}' expected";
