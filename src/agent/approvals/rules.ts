import {
  type ApprovalRule,
  ruleName,
  type RuleScope,
  type RuleSubject,
} from '../../contextWindow/approvalRule';
import type { SessionEvent } from '../../contextWindow/event';
import { couldMatch } from '../lastingFiles';
import {
  hasHarmlessOptions,
  isHarmless,
  programName,
  runsAnywhere,
  withoutGlobals,
} from './programs';
import type { ShellPart } from './shellCommand';

const SCOPES: Readonly<Record<RuleScope, string>> = {
  session: 'in this session',
  workspace: 'in this workspace',
  always: 'always',
};

/** Where and how long a rule applies. */
export function scopeText(scope: RuleScope): string {
  return SCOPES[scope];
}

/** A rule's subject as text: "edits in the workspace", "npm run *", "fetching from nodejs.org". */
export function subjectText(subject: RuleSubject): string {
  switch (subject.kind) {
    case 'edits':
      return 'edits in the workspace';
    case 'sandbox':
      return 'any command in the sandbox';
    case 'command':
      return subject.folder === undefined
        ? subject.pattern
        : `${subject.pattern} in ${subject.folder}`;
    case 'host':
      return `fetching from ${subject.host}`;
    case 'tool':
      return `calls of ${subject.tool}`;
  }
}

/** A rule in one line: "allowed in this session: npm run *". */
export function ruleText({ decision, subject, scope }: ApprovalRule): string {
  return `${decision === 'allow' ? 'allowed' : 'denied'} ${SCOPES[scope]}: ${subjectText(subject)}`;
}

/**
 * Finds the rule for a subject without parts. A denial wins; then the permission with the shortest
 * scope.
 */
export function ruleFor(
  rules: readonly ApprovalRule[],
  applies: (subject: RuleSubject) => boolean,
): ApprovalRule | undefined {
  const found = rules.filter(({ subject }) => applies(subject));
  return found.find(({ decision }) => decision === 'deny') ?? found[0];
}

/** Where a program runs. */
export interface RunPlace {
  /** The command may have entered another folder than where it began. */
  readonly isElsewhere: boolean;
  /** Where it began; absolute. */
  readonly folder: string;
  /** Whether that is the first folder of the workspace. */
  readonly isFirst: boolean;
}

/** A rule that applies to a program, and how many of its words it names. */
interface Applying {
  readonly rule: ApprovalRule;
  /** One more for a rule that names all words. */
  readonly length: number;
}

/**
 * Finds the rule for one program and its words: the rule with the most words wins, and on a tie the
 * denial. A denial also applies to the program by another path, and after options that come before its
 * subcommand. A permission holds in its own folder; that of a program that does the same everywhere, in all.
 */
export function ruleForPart(
  rules: readonly ApprovalRule[],
  { words, patterns, hides }: ShellPart,
  { isElsewhere, folder, isFirst }: RunPlace,
): ApprovalRule | undefined {
  const found = rules.flatMap((rule): readonly Applying[] => {
    if (rule.subject.kind !== 'command') return [];
    const { pattern, folder: own } = rule.subject;
    const isHere = !isElsewhere && (own === undefined ? isFirst : own === folder);
    const length =
      rule.decision === 'deny' ? denied(pattern, words) : allowed(pattern, words, patterns);
    if (length === 0 || (hides !== undefined && isOpenPermission(rule))) return [];
    return rule.decision === 'allow' && !isHere && !runsAnywhere(words) ? [] : [{ rule, length }];
  });
  const longest = Math.max(...found.map(({ length }) => length));
  const best = found.filter(({ length }) => length === longest).map(({ rule }) => rule);
  return best.find(({ decision }) => decision === 'deny') ?? best[0];
}

/** How many words a permission names, plus one where it names them all; 0 when it does not apply. */
function allowed(
  pattern: string,
  words: readonly string[],
  patterns: ReadonlyMap<string, string>,
): number {
  const { named, written, isOpen } = patternParts(pattern);
  const begins = (words: readonly string[]) =>
    named.every((word, index) => {
      const given = words[index] ?? '';
      const isQuoted = written[index]?.startsWith("'") === true;
      const own = patterns.get(given);
      // A quoted star is a character, and another one stands for files.
      if (own === undefined) return word === given && (isQuoted || !/[*?[]/.test(word));
      return !isQuoted && (word === writtenPattern(own) || (own === '*' && word === '*'));
    });
  if (!isOpen) return begins(words) && named.length === words.length ? named.length + 1 : 0;
  const plain = withoutGlobals(words);
  return begins(plain) && isHarmless(plain, named.length) ? named.length : 0;
}

/**
 * How many words a denial names, plus one where it names them all; 0 when it does not apply. Other options may
 * come between its words, and the options it names anywhere.
 */
function denied(pattern: string, words: readonly string[]): number {
  const { named, isOpen } = patternParts(pattern);
  const given = formsOf(words);
  const applies = formsOf(named, isOpen).some(([program = '', ...beginning]) => {
    const options = beginning.filter((word) => word.startsWith('-'));
    const others = beginning.filter((word) => !word.startsWith('-'));
    // `npm run test` is `npm test`.
    const plain = LIKE_NPM.test(program) ? withoutRun(others) : others;
    return given.some(
      ([run = '', ...rest]) =>
        program !== '' &&
        // GNU's programs have a `g` before their names on macOS.
        (run === program || run === `g${program}`) &&
        [rest, withoutRun(rest), ...withRun(run, rest, plain)].some(
          (words) =>
            options.every((one) => hasOption(program, words, one)) &&
            follows(program, words, plain, isOpen),
        ),
    );
  });
  return applies ? named.length + (isOpen ? 0 : 1) : 0;
}

/** Programs that are a subcommand of another one. */
const ALSO_CALLED: Readonly<Record<string, readonly string[]>> = {
  npx: ['npm', 'exec'],
  pnpx: ['pnpm', 'dlx'],
  bunx: ['bun', 'x'],
  uvx: ['uv', 'tool', 'run'],
  yarnpkg: ['yarn'],
  'docker-compose': ['docker', 'compose'],
  'podman-compose': ['podman', 'compose'],
};
/** Subcommands of docker that have another name after the word that says of what they are. */
const OF_DOCKER: Readonly<Record<string, string>> = {
  'container ls': 'ps',
  'image ls': 'images',
  'image rm': 'rmi',
};
/** Modules of Python that are programs, too. */
const MODULES = /^(pip|pipx|twine|poetry|uv|pytest)$/;

/**
 * The ways to write a call: by its program without path and version, and by the other names of program and
 * subcommand. `isOpen`: more words may follow.
 */
function formsOf(words: readonly string[], isOpen = false): readonly (readonly string[])[] {
  const [path = '', ...rest] = words;
  const whole = programName(path);
  const name = /^(pip|python|pypy|node|ruby|perl|php|lua)(js|w)?[\d.-]*$/.exec(whole)?.[1] ?? whole;
  // `tar xf` is `tar -xf`.
  if (/^(bsd|g)?tar$/.test(name) && /^[a-zA-Z]+$/.test(rest[0] ?? ''))
    return [[name, `-${rest[0]}`, ...rest.slice(1)]];
  // `git-push` is `git push`.
  if (name.startsWith('git-')) return [['git', name.slice(4), ...rest]];
  const [first = '', second = '', ...more] = rest;
  const known = Object.hasOwn(ALSO_CALLED, name) ? ALSO_CALLED[name] : undefined;
  const module = /^-m(.*)$/.exec(first)?.[1];
  const ofModule = module === '' ? rest.slice(1) : [module ?? '', ...rest.slice(1)];
  const isOfDocker = /^(docker|podman|nerdctl)$/.test(name) && /^(container|image)$/.test(first);
  // `yarn` alone installs.
  const isAlone =
    /^yarn(pkg)?$/.test(name) &&
    !isOpen &&
    rest.every((word) => /^-(?!(-version|v|-help|h)$)/.test(word));
  return [
    isAlone ? ['yarn', 'install', ...rest] : [name, ...rest],
    ...(known === undefined ? [] : [[...known, ...rest]]),
    ...(/^(python|pypy)$/.test(name) && MODULES.test(ofModule[0] ?? '') ? [ofModule] : []),
    ...(name === 'uv' && first === 'pip' ? [rest] : []),
    ...(isOfDocker ? [[name, OF_DOCKER[`${first} ${second}`] ?? second, ...more]] : []),
  ];
}

/** Whether a program gets these words in this order; only options and their values may be between them. */
function follows(
  program: string,
  words: readonly string[],
  plain: readonly string[],
  isOpen: boolean,
): boolean {
  // How many of the words may have been found so far: a value of an option may look like one of them.
  let found = new Set([0]);
  for (const [at, word] of words.entries()) {
    if (isOpen && found.has(plain.length)) return true;
    const isSkipped =
      word.startsWith('-') || words[at - 1]?.startsWith('-') === true || TASKS.test(program);
    const next = [...found].flatMap((count) => {
      const wanted = plain[count];
      const isNext = wanted !== undefined && mayMean(program, word, wanted, count);
      return [...(isNext ? [count + 1] : []), ...(isSkipped ? [count] : [])];
    });
    found = new Set(next);
  }
  return found.has(plain.length);
}

/** Programs that run every task they are given: `make build deploy` runs `deploy`. */
const TASKS = /^(make|gmake|bmake|gradlew?|mvnw?|mvnd|ant|rake|just|task|gulp|grunt|sbt|lein)$/;

/** Programs whose options have one dash and a whole word: `find -delete`. */
const WORDS_WITH_A_DASH = /^(find|go|javac?|terraform|openssl|ffmpeg)$/;

/** Options of one letter that have a name, too. */
const NAMED_LETTERS: readonly (readonly [
  programs: RegExp,
  letter: string,
  ...names: readonly string[],
])[] = [
  [
    /^(rm|cp|mv|ln|git|npm|docker|podman)$/,
    'f',
    '--force',
    '--force-with-lease',
    '--force-if-includes',
  ],
  [/^(rm|cp|grep|scp)$/, 'r', '--recursive'],
  [/^(chmod|chown|chgrp)$/, 'R', '--recursive'],
  [/^(npm|pnpm)$/, 'g', '--global'],
  [/^git$/, 'd', '--delete'],
  [/^git$/, 'i', '--interactive'],
  [/^git$/, 'n', '--no-verify'],
  [/^(git|docker|podman)$/, 'a', '--all'],
  [/^git$/, 'A', '--all'],
  [/^(docker|podman)$/, 'v', '--volume', '--volumes'],
  [/^g?sed$/, 'i', '--in-place'],
  [/^(bsd|g)?tar$/, 'x', '--extract', '--get'],
  [/^(bsd|g)?tar$/, 'c', '--create'],
];

/** Whether one of the words is this option, shortened or by its other name; letters may be in several words. */
function hasOption(program: string, words: readonly string[], option: string): boolean {
  if (words.some((word) => word === option || word.startsWith(`${option}=`))) return true;
  const given = lettersOf(program, words);
  if (!option.startsWith('--')) {
    const isLetters = /^-[a-zA-Z]{1,5}$/.test(option) && !WORDS_WITH_A_DASH.test(program);
    return isLetters && [...lettersOf(program, [option])].every((letter) => given.has(letter));
  }
  return (
    words.some((word) => isShortened(word, option)) ||
    namesOf(program).some(([, letter, ...names]) => names.includes(option) && given.has(letter))
  );
}

function namesOf(program: string): typeof NAMED_LETTERS {
  return NAMED_LETTERS.filter(([programs]) => programs.test(program));
}

/** Whether a word is the beginning of the name of an option: `--forc` for `--force`. */
function isShortened(word: string, option: string): boolean {
  const [name = ''] = word.split('=', 1);
  return name.length >= 4 && name !== '--no' && name.startsWith('--') && option.startsWith(name);
}

/** The options of one letter that a program is given, by letter or by name. */
function lettersOf(program: string, words: readonly string[]): ReadonlySet<string> {
  const short = words
    // What follows `-o` is its value: `git push -ofull`.
    .map((word) => (program === 'git' ? word.replace(/^(-[a-zA-Z]*?o)[^-].*$/, '$1') : word))
    // A number or an ending may be attached: `-n5`, `-i.bak`.
    .flatMap((word) => /^-([a-zA-Z]{1,5})([.\d].*)?$/.exec(word)?.[1] ?? []);
  const long = namesOf(program).flatMap(([, letter, ...names]) =>
    words.some((word) => names.some((name) => isShortened(word, name))) ? [letter] : [],
  );
  const letters = new Set([...short.join(''), ...long]);
  if (/^(rm|cp|grep|scp)$/.test(program) && letters.has('R')) letters.add('r');
  if (program === 'git') {
    if (letters.has('D')) letters.add('d').add('f');
    if (letters.has('d') && letters.has('f')) letters.add('D');
    // `git push origin +main` is forced.
    if (words.some((word) => word.startsWith('+'))) letters.add('f');
  }
  return letters;
}

/** `run test` is `test`. */
function withoutRun(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => RUNS.test(word));
  const isKnown = words.slice(at + 1).some((word) => /^(test|start|stop|restart)$/.test(word));
  return at < 0 || !isKnown ? words : words.toSpliced(at, 1);
}

/** `yarn deploy` is `yarn run deploy`; a denial that names no script leaves other subcommands alone. */
function withRun(
  program: string,
  words: readonly string[],
  named: readonly string[],
): readonly (readonly string[])[] {
  const isScript = named.length > 1 && RUNS.test(named[0] ?? '');
  return isScript && /^(yarn|pnpm|bun)$/.test(program) ? [['run', ...words]] : [];
}

/** Programs that take the beginning of a subcommand for the whole. */
const SHORTENS = /^(npm|pnpm|yarn|bun|cargo|hg|svn|ip|apt|composer)$/;
const RUNS = /^(run|run-script|rum|urn)$/;
/** Package managers with the same other names of subcommands. */
const LIKE_NPM = /^(npm|pnpm|yarn|bun)$/;
const CLEAN = 'ci|ic|clean-install|install-clean|isntall-clean';
const CLEAN_TEST = 'cit|install-ci-test|clean-install-test|sit';
const INSTALL =
  'i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|install|add|a|it|install-test';
const SAME_SUBCOMMANDS = [
  RUNS,
  /^(t|tst|test)$/,
  new RegExp(`^(${CLEAN}|${CLEAN_TEST})$`),
  /^(r|rm|un|unlink|remove|uninstall)$/,
  /^(up|upgrade|udpate|update)$/,
  /^(x|exec)$/,
  /^(create|init|innit)$/,
  /^(ln|link)$/,
  /^(rb|rebuild)$/,
  /^(c|config)$/,
  /^(add-user|adduser|login)$/,
  /^(author|owner)$/,
  /^(dist-tag|dist-tags)$/,
  /^(ddp|dedupe)$/,
];
/** All of these install packages. */
const INSTALLS = new RegExp(`^(${INSTALL}|${CLEAN}|${CLEAN_TEST})$`);
const DENIES_INSTALL = new RegExp(`^(${INSTALL})$`);
/** Other names of subcommands of other programs. */
const ALSO: Readonly<Record<string, readonly RegExp[]>> = {
  cargo: [/^(rm|remove)$/],
  git: [/^(add|stage)$/, /^(init|init-db)$/, /^(blame|annotate)$/],
  svn: [/^(ci|commit)$/, /^(co|checkout)$/, /^(rm|del|remove|delete)$/, /^(mv|move|rename|ren)$/],
  composer: [/^(i|install)$/, /^(u|upgrade|update)$/, /^(r|require)$/],
  pipx: [/^(i|install)$/],
};

/** Whether a program may take a word for the one that a denial names: a pattern, or another name. */
function mayMean(program: string, word: string, named: string, at: number): boolean {
  if (word === named || couldMatch(word, named)) return true;
  if (at > 0 || word === '') return false;
  const isSame = (same: RegExp): boolean => same.test(word) && same.test(named);
  const own = Object.hasOwn(ALSO, program) ? ALSO[program] : undefined;
  if (own?.some(isSame) === true) return true;
  if (!SHORTENS.test(program)) return false;
  if (named.startsWith(word)) return true;
  // `bun upgrade` replaces bun itself.
  const isOfBun = program === 'bun' && [word, named].includes('upgrade');
  if (!LIKE_NPM.test(program) || isOfBun) return false;
  return SAME_SUBCOMMANDS.some(isSame) || (DENIES_INSTALL.test(named) && INSTALLS.test(word));
}

/** Whether a rule denies a command of a program that a word of another program names. */
export function mentionsDenied(rules: readonly ApprovalRule[], words: readonly string[]): boolean {
  const denied = rules.flatMap(({ decision, subject }) =>
    decision === 'deny' && subject.kind === 'command'
      ? formsOf(patternParts(subject.pattern).named).flatMap((form) => form.slice(0, 1))
      : [],
  );
  const named = words.slice(1).flatMap((word) => word.split(/[\s;&|(){}'"`=<>]+/));
  return named.some((word) => denied.includes(programName(word)));
}

/** A word of stars alone has one more in a rule, where `*` at the end stands for any words. */
function writtenPattern(pattern: string): string {
  return /^\*+$/.test(pattern) ? `${pattern}*` : pattern;
}

/** The words that a pattern names, also as written, and whether any others may follow. */
function patternParts(pattern: string): {
  readonly named: readonly string[];
  readonly written: readonly string[];
  readonly isOpen: boolean;
} {
  const all = wordsOfPattern(pattern);
  const isOpen = all.length > 1 && all.at(-1)?.written === '*';
  const words = isOpen ? all.slice(0, -1) : all;
  return {
    named: words.map(({ word }) => word),
    written: words.map(({ written }) => written),
    isOpen,
  };
}

/** Whether a rule allows a command with any harmless words after the ones it names. */
export function isOpenPermission({ decision, subject }: ApprovalRule): boolean {
  return decision === 'allow' && subject.kind === 'command' && patternParts(subject.pattern).isOpen;
}

/**
 * Splits a pattern at its spaces. Words with spaces are in single quotes; a quote inside is
 * doubled.
 */
function wordsOfPattern(
  pattern: string,
): readonly { readonly word: string; readonly written: string }[] {
  return [...pattern.matchAll(/'((?:[^']|'')*)'|(\S+)/g)].map(([written, quoted, plain]) => ({
    word: quoted === undefined ? (plain ?? '') : quoted.replaceAll("''", "'"),
    written,
  }));
}

/**
 * Writes words as a pattern that parses back to them; undefined when one cannot be written. A word with a star
 * is quoted like one with spaces, unless it stands for files.
 */
function patternOf(
  words: readonly string[],
  patterns: ReadonlyMap<string, string>,
  isOpen = false,
): string | undefined {
  const written = words.map((word) => {
    const own = patterns.get(word);
    if (own !== undefined) return /[\s']/.test(own) ? undefined : writtenPattern(own);
    return /^[^\s'*?[]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`;
  });
  if (written.includes(undefined)) return undefined;
  return [...written, ...(isOpen ? ['*'] : [])].join(' ');
}

/**
 * Patterns to offer for one program: all its words, where they can be written; and its subcommand
 * followed by harmless options, where the table knows them.
 */
export function patternsFor(part: ShellPart): readonly string[] {
  const { words, patterns } = part;
  const exact = patternOf(words, patterns);
  const plain = withoutGlobals(words);
  const beginning = plain.slice(0, 2);
  const isKnown = beginning.length === 2 && hasHarmlessOptions(beginning, 2);
  const open = isKnown && isHarmless(plain, 2) ? patternOf(beginning, patterns, true) : undefined;
  return [exact, open].filter((pattern) => pattern !== undefined);
}

/**
 * The rules of a session from its log, the newest last. Whatever a log says, they count for the session only:
 * wider rules are in the user's settings.
 */
export function sessionRules(events: readonly SessionEvent[]): readonly ApprovalRule[] {
  const rules = new Map<string, ApprovalRule>();
  for (const event of events) {
    if (event.type !== 'ruleSet' && event.type !== 'ruleRevoked') continue;
    rules.delete(ruleName(event.rule));
    if (event.type === 'ruleSet' && event.rule.scope === 'session') {
      rules.set(ruleName(event.rule), event.rule);
    }
  }
  return [...rules.values()];
}
