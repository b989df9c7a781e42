import {
  type ApprovalRule,
  ruleName,
  type RuleScope,
  type RuleSubject,
} from '../../contextWindow/approvalRule';
import type { SessionEvent } from '../../contextWindow/event';
import { couldMatch } from '../lastingFiles';
import { baseName, hasHarmlessOptions, isHarmless, runsAnywhere, withoutGlobals } from './programs';
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
  { words, hides }: ShellPart,
  { isElsewhere, folder, isFirst }: RunPlace,
): ApprovalRule | undefined {
  const found = rules.flatMap((rule): readonly Applying[] => {
    if (rule.subject.kind !== 'command') return [];
    const { pattern, folder: own } = rule.subject;
    const isHere = !isElsewhere && (own === undefined ? isFirst : own === folder);
    const length = rule.decision === 'deny' ? denied(pattern, words) : allowed(pattern, words);
    if (length === 0 || (hides !== undefined && isOpenPermission(rule))) return [];
    return rule.decision === 'allow' && !isHere && !runsAnywhere(words) ? [] : [{ rule, length }];
  });
  const longest = Math.max(...found.map(({ length }) => length));
  const best = found.filter(({ length }) => length === longest).map(({ rule }) => rule);
  return best.find(({ decision }) => decision === 'deny') ?? best[0];
}

/** How many words a permission names, plus one where it names them all; 0 when it does not apply. */
function allowed(pattern: string, words: readonly string[]): number {
  const { named, isOpen } = patternParts(pattern);
  if (!isOpen)
    return beginsWith(words, named) && named.length === words.length ? named.length + 1 : 0;
  const plain = withoutGlobals(words);
  return beginsWith(plain, named) && isHarmless(plain, named.length) ? named.length : 0;
}

/** How many words a denial names, plus one where it names them all; 0 when it does not apply. */
function denied(pattern: string, words: readonly string[]): number {
  const { named, isOpen } = patternParts(pattern);
  const [program = '', ...beginning] = withoutDash(named);
  const [run = '', ...rest] = withoutDash(words);
  if (program === '' || run !== program) return 0;
  for (let skipped = 0; skipped <= rest.length; skipped += 1) {
    const left = rest.slice(skipped);
    const isWhole =
      beginning.every((word, at) => mayMean(program, left[at] ?? '', word, at)) &&
      (isOpen || left.length === beginning.length);
    if (isWhole) return named.length + (isOpen ? 0 : 1);
    // Only options and their values may come before the words that the denial names.
    const [word = '', before = ''] = [rest[skipped], rest[skipped - 1]];
    if (!word.startsWith('-') && !before.startsWith('-')) return 0;
  }
  return 0;
}

/** `git-push` is `git push`, by any path. */
function withoutDash([program = '', ...rest]: readonly string[]): readonly string[] {
  const name = baseName(program).toLowerCase();
  return name.startsWith('git-') ? ['git', name.slice(4), ...rest] : [name, ...rest];
}

/** Programs that take the beginning of a subcommand for the whole. */
const SHORTENS = /^(npm|pnpm|yarn|bun|cargo|hg|svn|ip|apt)$/;
const INSTALLS = /^(i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|add)$/;

/** Whether a program may take a word for the one that a denial names: a pattern, or a shorter name. */
function mayMean(program: string, word: string, named: string, at: number): boolean {
  if (word === named || couldMatch(word, named)) return true;
  if (at > 0 || word === '' || !SHORTENS.test(program)) return false;
  return named.startsWith(word) || (/^(i|install|add)$/.test(named) && INSTALLS.test(word));
}

/** Whether a rule denies a command of a program that a word of another program names. */
export function mentionsDenied(rules: readonly ApprovalRule[], words: readonly string[]): boolean {
  const denied = rules.flatMap(({ decision, subject }) =>
    decision === 'deny' && subject.kind === 'command'
      ? withoutDash(patternParts(subject.pattern).named).slice(0, 1)
      : [],
  );
  const named = words.slice(1).flatMap((word) => word.split(/[\s;&|(){}'"`=<>]+/));
  return named.some((word) => denied.includes(baseName(word).toLowerCase()));
}

function beginsWith(words: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((word, index) => word === words[index]);
}

/** The words that a pattern names, and whether any others may follow. */
function patternParts(pattern: string): {
  readonly named: readonly string[];
  readonly isOpen: boolean;
} {
  const words = wordsOfPattern(pattern);
  const isOpen = words.length > 1 && words.at(-1) === '*';
  return { named: isOpen ? words.slice(0, -1) : words, isOpen };
}

/** Whether a rule allows a command with any harmless words after the ones it names. */
export function isOpenPermission({ decision, subject }: ApprovalRule): boolean {
  return decision === 'allow' && subject.kind === 'command' && patternParts(subject.pattern).isOpen;
}

/**
 * Splits a pattern at its spaces. Words with spaces are in single quotes; a quote inside is
 * doubled.
 */
function wordsOfPattern(pattern: string): readonly string[] {
  return [...pattern.matchAll(/'((?:[^']|'')*)'|(\S+)/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll("''", "'"),
  );
}

/**
 * Writes words as a pattern that parses back to them. A word `*` is quoted like one with spaces.
 */
function patternOf(words: readonly string[], isOpen = false): string {
  const written = words.map((word) =>
    /^[^\s'*]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`,
  );
  return [...written, ...(isOpen ? ['*'] : [])].join(' ');
}

/**
 * Patterns to offer for one program: all its words; and its subcommand followed by harmless options, where
 * the table knows them.
 */
export function patternsFor(part: ShellPart): readonly string[] {
  const { words } = part;
  const exact = patternOf(words);
  const plain = withoutGlobals(words);
  const beginning = plain.slice(0, 2);
  return beginning.length === 2 && hasHarmlessOptions(beginning, 2) && isHarmless(plain, 2)
    ? [exact, patternOf(beginning, true)]
    : [exact];
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
