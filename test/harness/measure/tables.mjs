/** The policies of the first tables; a later table has the others. */
const FIRST = [
  'ladder',
  'ladderNoExcerpts',
  'tokenBudget',
  'salience',
  'summarise',
  'clairvoyant',
  'clairvoyantExcerpts',
  'none',
];

const LADDERS = ['ladder', 'ladderNoExcerpts'];
/** The policy that keeps the newest blocks. */
export const NEWEST = 'tokenBudget';

const KINDS = {
  file: 'The window holds what the file holds.',
  counted:
    'The same, with everything that the recorded API counted. That includes system prompt and tool ' +
    'definitions of the recorded agent, which its file lacks.',
};

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const shareOf = ({ visible, total }) => percent(visible / total);

/** Formats the tables of the measurements: for each set the edits, the paths, and the cost. */
export function tablesOf(found) {
  const groups = [...new Set(found.map(({ kind, set }) => `${kind} ${set}`))];
  return groups
    .map((group) => found.filter(({ kind, set }) => `${kind} ${set}` === group))
    .map(tablesOfSet)
    .join('\n\n');
}

function tablesOfSet(measured) {
  const [{ kind, set, rows }] = measured;
  const none = rows.find(({ policy }) => policy === 'none');
  const heading =
    `#### Set ${set}${kind === 'file' ? '' : ', counted'}\n\n` +
    `${KINDS[kind]} ${none.files} sessions, ${none.requests.toLocaleString('en')} requests, ` +
    `${none.edits.total} edits, ${none.paths.total.toLocaleString('en')} paths.`;
  const all = rows.map(({ policy }) => policy);
  const rest = all.filter((policy) => !FIRST.includes(policy));
  const first = FIRST.filter((policy) => all.includes(policy));
  const marks = first.filter((policy) => policy !== 'none');
  const cost = ({ cost: usd }) => `$${usd.toFixed(2)}`;
  return [
    heading,
    `Edits visible:\n\n${table(measured, first, ({ edits }) => shareOf(edits))}`,
    `Of the edits, how many only the ladder shows, and how many only \`${NEWEST}\`, which keeps the newest blocks:\n\n` +
      againstNewest(measured),
    `Paths visible:\n\n${table(measured, first, ({ paths }) => shareOf(paths))}`,
    `Cost:\n\n${table(measured, first, cost)}`,
    `Requests that wrote more than half of their window to the cache again: the cache expired / a pass / another change:\n\n` +
      table(measured, [...marks, ...rest], ({ rewrites }) => rewrites.join(' / ')),
    ...(none.rules.total === 0
      ? []
      : [
          `Standing rules that the requests had verbatim:\n\n${table(measured, [...marks, ...rest], ({ rules }) => shareOf(rules))}`,
        ]),
    ...ownTable(measured),
    `Cache reuse, then refaults:\n\n${table(measured, marks, ({ reuse, refaults }) => `${percent(reuse)} ${refaults}`)}`,
    `The other policies, edits and paths:\n\n${table(measured, rest, ({ edits, paths }) => `${shareOf(edits)} ${shareOf(paths)}`)}`,
    `Their cost, cache reuse and refaults:\n\n${table(measured, rest, (row) => `${cost(row)} ${percent(row.reuse)} ${row.refaults}`)}`,
    ...distanceOf(measured),
    ...overBudget(measured, [...marks, ...rest]),
    faultsOf(measured),
  ].join('\n\n');
}

/** How far characters / 4 are from the counts of the recorded API. */
function distanceOf(measured) {
  return measured.flatMap(({ distances }) => {
    if (distances === undefined) return [];
    const times = (value) => `${value.toFixed(2)} times`;
    return [
      `For what a session added to its requests, the API counted ${times(medianOf(distances))} characters / 4 of the file's ` +
        `text in the median of ${distances.length} sessions, and ${times(distances.at(-1))} in the worst. That includes ` +
        'hidden thinking and reminders, which the file lacks.',
    ];
  });
}

/** The median of sorted numbers. */
export function medianOf(sorted) {
  const [below, above] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (below + above) / 2;
}

/** The recorded agents' own compaction next to the ladder in the same window. */
function ownTable(measured) {
  const some = measured.filter(({ own }) => own !== undefined);
  if (some.length === 0) return [];
  const [{ own: first, window }] = some;
  const cells = ({ policy, edits, paths, rules, refaults, reuse, cost, rewrites }) => [
    `\`${policy}\``,
    shareOf(edits),
    shareOf(paths),
    rules.total === 0 ? 'none' : shareOf(rules),
    String(refaults),
    percent(reuse),
    rewrites.join(' / '),
    `$${cost.toFixed(2)}`,
  ];
  const titles = ['policy', 'edits', 'paths', 'rules', 'refaults', 'reuse', 'rewrites', 'cost'];
  const lines = [titles, ...first.map(cells)];
  return [
    `The ${first[0].files} sessions whose agent compacted, at ${window}k. \`recorded\` repeats its compactions:\n\n${drawn(lines)}`,
  ];
}

/** The number of requests over the budget at every window, if there were any. */
function overBudget(measured, policies) {
  const isAny = measured.some(({ rows }) =>
    rows.some(({ policy, over }) => policies.includes(policy) && over > 0),
  );
  return isAny
    ? [`Requests over the budget:\n\n${table(measured, policies, ({ over }) => String(over))}`]
    : [];
}

/** The number of edits that one of two policies shows and the other does not, at every window. */
function againstNewest(measured) {
  return table(measured, LADDERS, ({ onlyHere, onlyNewest }) => `${onlyHere}, ${onlyNewest}`);
}

function faultsOf(measured) {
  const kept = measured.flatMap(({ rows }) => rows).filter(({ policy }) => policy !== 'none');
  const sum = (of) => kept.reduce((total, row) => total + of(row), 0);
  const over = sum((row) => row.over);
  return (
    `Requests ${over === 0 ? 'over the budget: 0, ' : ''}invalid: ${sum(({ invalid }) => invalid)}, ` +
    `without the task: ${sum(({ noTask }) => noTask)}, without the newest prompt: ${sum(({ noAsk }) => noAsk)}, ` +
    'under all policies except `none`.'
  );
}

/** A row for each policy, a column for each window. */
function table(measured, policies, cellOf) {
  const lines = [
    ['policy', ...measured.map(({ window }) => `${window}k`)],
    ...policies.map((policy) => [
      `\`${policy}\``,
      ...measured.map(({ rows }) =>
        cellOf(
          rows.find((row) => row.policy === policy),
          rows,
        ),
      ),
    ]),
  ];
  return drawn(lines);
}

/** A row for each set and window: the ladder with pauses ignored, and as it follows them. */
export function pausesTableOf(pauses) {
  const usd = ({ cost }) => `$${cost.toFixed(2)}`;
  const change = (share) => `${share > 0 ? '+' : ''}${percent(share)}`;
  const lines = [
    ['set', 'window', 'edits, pauses ignored', 'edits', 'cost, pauses ignored', 'cost'].concat([
      'change',
      'the dearest session',
      'rewrites at an expired cache',
    ]),
    ...pauses.map(({ set, window, ignored, followed, dearest }) => [
      set,
      `${window}k`,
      shareOf(ignored.edits),
      shareOf(followed.edits),
      usd(ignored),
      usd(followed),
      change(followed.cost / ignored.cost - 1),
      change(dearest),
      `${ignored.expired}, then ${followed.expired}`,
    ]),
  ];
  return drawn(lines);
}

/** A row for each library that fitted the recording into the budget, and why requests were refused. */
export function peersTableOf({ recording, budget, messages, tokens, node, rows }) {
  const number = (value) => value.toLocaleString('en');
  const yes = (is) => (is ? 'yes' : 'no');
  const cells = (row) => [
    row.library,
    row.name === 'ladder' ? `\`${row.name}\`` : row.name,
    `${number(row.ms < 10 ? row.ms : Math.round(row.ms))} ms`,
    number(row.messages),
    number(row.tokens),
    yes(row.tokens <= budget),
    yes(row.isTaskKept),
    yes(row.refusal === undefined),
    row.says,
  ];
  const titles = ['library', 'call', 'time', 'messages', 'tokens', 'budget kept', 'task kept'];
  const once = rows.filter(({ runs }) => runs === 1).map(({ name }) => name);
  const refusals = rows.filter(({ refusal }) => refusal !== undefined);
  return [
    `The recording \`${recording}\` has ${number(messages)} messages and ${number(tokens)} tokens; the budget is ` +
      `${number(budget)} tokens. Node ${node}. A time is the median of five runs` +
      `${once.length === 0 ? '' : `, or of one run for ${once.join(' and ')}`}.`,
    drawn([[...titles, 'accepted', 'says what it removed'], ...rows.map(cells)], 2),
    ...(refusals.length === 0
      ? []
      : [
          `Why the strict double refused a result:\n\n${refusals
            .map(({ name, refusal }) => `- ${name}: ${refusal.replace(/: toolu_.*/, '.')}`)
            .join('\n')}`,
        ]),
  ].join('\n\n');
}

/** The first columns are aligned to the left, the others to the right. */
function drawn(lines, left = 1) {
  const widths = lines[0].map((_, at) => Math.max(3, ...lines.map((line) => line[at].length)));
  const rows = lines.map(
    (line) =>
      `| ${line.map((cell, at) => (at < left ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width, at) => (at < left ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [rows[0], rule, ...rows.slice(1)].join('\n');
}
