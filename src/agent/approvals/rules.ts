import {
  type ApprovalRule,
  ruleName,
  type RuleScope,
  type RuleSubject,
} from '../../contextWindow/approvalRule';
import type { SessionEvent } from '../../contextWindow/event';
import { isCarrier, type ShellPart } from './shellCommand';

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
      return subject.pattern;
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

/**
 * Finds the rule for one program and its words: the rule with the most words wins, and on a tie the
 * denial.
 */
export function ruleForWords(
  rules: readonly ApprovalRule[],
  words: readonly string[],
): ApprovalRule | undefined {
  const found = rules.flatMap((rule) => {
    const length = rule.subject.kind === 'command' ? matched(rule.subject.pattern, words) : 0;
    return length === 0 ? [] : [{ rule, length }];
  });
  const longest = Math.max(...found.map(({ length }) => length));
  const best = found.filter(({ length }) => length === longest).map(({ rule }) => rule);
  return best.find(({ decision }) => decision === 'deny') ?? best[0];
}

/** How many words of a command a pattern names, plus one for an exact match; 0 for no match. */
function matched(pattern: string, words: readonly string[]): number {
  const named = wordsOfPattern(pattern);
  const isOpen = named.at(-1) === '*';
  const beginning = isOpen ? named.slice(0, -1) : named;
  if (beginning.length === 0 || beginning.length > words.length) return 0;
  if (!isOpen && beginning.length < words.length) return 0;
  if (beginning.some((word, index) => word !== words[index])) return 0;
  return beginning.length + (isOpen ? 0 : 1);
}

/**
 * Splits a pattern at its spaces. Words with spaces are in single quotes; a quote inside is
 * doubled.
 */
export function wordsOfPattern(pattern: string): readonly string[] {
  return [...pattern.matchAll(/'((?:[^']|'')*)'|(\S+)/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll("''", "'"),
  );
}

/**
 * Writes words as a pattern that parses back to them. A word `*` is quoted like one with spaces.
 */
export function patternOf(words: readonly string[], isOpen = false): string {
  const written = words.map((word) =>
    /^[^\s'*]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`,
  );
  return [...written, ...(isOpen ? ['*'] : [])].join(' ');
}

/** Programs that can write, send or delete with any words: no open rule is offered. */
const BY_WORDS_ALONE = new Set(
  (
    'awk chgrp chmod chown cp curl dd deno docker find gh ln make mv node npx perl php pip python python3 rm rmdir rsync ruby scp ' +
    'sed tee truncate wget'
  ).split(' '),
);

/** Subcommands that run the words after them, as in `npm exec`. */
const RUNS_ANYTHING = new Set(['dlx', 'exec', 'foreach', 'x']);

/** Patterns to offer for one program: all its words, or its subcommand followed by anything. */
export function patternsFor({ words }: ShellPart): readonly string[] {
  const [program = '', subcommand] = words;
  const exact = patternOf(words);
  if (isCarrier(program) || BY_WORDS_ALONE.has(program)) return [exact];
  if (subcommand !== undefined && RUNS_ANYTHING.has(subcommand)) return [exact];
  if (subcommand !== undefined && /^[a-z][a-z-]*$/.test(subcommand)) {
    return [exact, patternOf([program, subcommand], true)];
  }
  return [exact, patternOf([program], true)];
}

/** The rules of a session from its log, the newest last. */
export function sessionRules(events: readonly SessionEvent[]): readonly ApprovalRule[] {
  const rules = new Map<string, ApprovalRule>();
  for (const event of events) {
    if (event.type !== 'ruleSet' && event.type !== 'ruleRevoked') continue;
    rules.delete(ruleName(event.rule));
    if (event.type === 'ruleSet') rules.set(ruleName(event.rule), event.rule);
  }
  return [...rules.values()];
}
