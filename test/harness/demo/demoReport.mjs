/**
 * Summarises a session from its log: turns, steps, passes with their numbers, and how tokens were
 * known.
 */
export function demoReport(events, requests) {
  const of = (type) => events.filter((event) => event.type === type);
  const passes = of('passApplied').map(({ pass }) => ({
    number: pass.number,
    trigger: pass.trigger,
    beforeStep: pass.beforeStep,
    before: pass.before,
    after: pass.after,
    certifiedAfter: countAfter(events, pass),
    target: pass.target,
    did: didIn(pass),
    summaries: pass.summaries.map(({ covers, writtenBy }) => ({ covers, writtenBy })),
  }));
  const { budget } = of('passApplied').at(-1)?.pass ?? {};
  return {
    turns: of('promptSubmitted').length,
    steps: of('replyReceived').length,
    requests: requests.length,
    outcomes: of('turnEnded').map(({ outcome }) => outcome.type),
    watermarks: budget && {
      contextWindowTokens: budget.contextWindowTokens,
      inputBudget: budget.inputBudget,
      high: budget.highTokens,
      low: budget.lowTokens,
    },
    passes,
    counts: {
      official: of('windowCounted').length,
      failed: of('countFailed').length,
      ...requestsByKnowledge(events),
    },
  };
}

/** The number of blocks that each action of a pass affected, such as `{ clear: 3, evict: 1 }`. */
function didIn({ decisions }) {
  const did = {};
  for (const { action } of decisions) if (action !== 'keep') did[action] = (did[action] ?? 0) + 1;
  return did;
}

/** The API's count right after a pass; undefined without one. */
function countAfter(events, pass) {
  const at = events.findIndex(
    (event) => event.type === 'passApplied' && event.pass.number === pass.number,
  );
  const next = events[at + 1];
  return next?.type === 'windowCounted' ? next.tokens : undefined;
}

/**
 * How many requests were sent on an official count of exactly that window, and how many on an
 * estimate.
 */
function requestsByKnowledge(events) {
  const sent = { requestsOnOfficialCount: 0, requestsOnEstimate: 0 };
  let counted = false;
  for (const { type } of events) {
    if (type === 'windowCounted') counted = true;
    if (type === 'replyReceived')
      sent[counted ? 'requestsOnOfficialCount' : 'requestsOnEstimate'] += 1;
    if (['promptSubmitted', 'replyReceived', 'toolFinished', 'passApplied'].includes(type))
      counted = false;
  }
  return sent;
}

/**
 * Checks the properties that every request of the demo must have; returns the faults, one sentence
 * each.
 */
export function wrongRequests(events, requests) {
  const prompts = events.filter(({ type }) => type === 'promptSubmitted').map(({ text }) => text);
  const [anchor] = prompts;
  return requests.flatMap((body, index) => {
    const { messages } = body;
    const said = messages
      .filter(({ role }) => role === 'user')
      .flatMap(({ content }) => content)
      .filter(({ type }) => type === 'text')
      .map(({ text }) => text)
      // Its text says that it asks for nothing.
      .filter((text) => !text.startsWith('[Reminder, no request:'));
    const wrong = [];
    if (!said.some((text) => text.includes(anchor))) wrong.push('does not hold the task anchor');
    const last = said.at(-1) ?? '';
    const newest = prompts.findLast((prompt) => said.some((text) => text.includes(prompt)));
    if (newest === undefined || !last.includes(newest))
      wrong.push('does not end with the newest prompt');
    return wrong.map((what) => `Request ${index + 1} ${what}.`);
  });
}
