import { realPath } from '../gitSettings';
import { lastingIn } from '../lastingFiles';
import type { ApprovalRequest } from '../tool';
import type { FolderPlace } from '../workspaceFolders';
import type { ApprovalRule, RuleSubject } from '../../contextWindow/approvalRule';
import { isTransparent } from './carriers';
import {
  changesFiles,
  whyCommandUnderWay,
  whyFolderAsRemote,
  foldersEntered,
  lastingNamed,
  leadsOutside,
  outsideText,
  type IsInside,
} from './commandPaths';
import { dangerOf } from './dangers';
import { hasHarmlessOptions, keepsFiles, runsAnywhere } from './programs';
import {
  mentionsDenied,
  patternsFor,
  ruleFor,
  ruleForPart,
  ruleText,
  type RunPlace,
  subjectText,
} from './rules';
import { type ShellPart, type ShellReading, withAllCarried } from './shellCommand';
import { steeringVariable } from './variables';

/** How the user's rules answer a question. */
export type RuleAnswer =
  /** `rules`: text of the rules that allow it; `inSandbox`: only there. */
  | { readonly type: 'allow'; readonly rules: readonly string[]; readonly inSandbox?: true }
  | { readonly type: 'deny'; readonly rule: string }
  /** The user is asked. */
  | ({ readonly type: 'ask' } & Unruled);

/** A question that no rule answers, and the rules that could answer it. */
export interface Unruled {
  /** Why no rule can answer it, as a sentence; absent when one could. */
  readonly why?: string;
  /** What a command may destroy, as a sentence. */
  readonly danger?: string;
  readonly choices: readonly RuleChoice[];
}

/** A rule that the user can add for questions like this one. */
export interface RuleChoice {
  /** "npm run *", "edits in the workspace"; several are joined by "and". */
  readonly text: string;
  readonly subjects: readonly RuleSubject[];
  /** What the rule means, as a sentence, when the text does not say it. */
  readonly means?: string;
}

/** Facts for a decision, in addition to the rules. */
export interface Facts {
  /** The parsed command; only for commands. */
  readonly reading?: ShellReading;
  readonly isInside: IsInside;
  /** Where a command runs. */
  readonly place: FolderPlace;
}

type CommandRequest = Extract<ApprovalRequest, { readonly kind: 'command' }>;

/**
 * Answers a question by the rules as far as possible, or gives the rules that could answer it. A
 * denial beats every permission.
 */
export function decide(
  request: ApprovalRequest,
  rules: readonly ApprovalRule[],
  facts: Facts,
): RuleAnswer {
  if (request.kind === 'command') {
    const answer = decideCommand(request, facts, rules);
    const mayStayInside = answer.type === 'ask' && request.sandbox !== undefined;
    return withDanger(
      mayStayInside && request.outside === undefined
        ? (inSandbox(request, rules, facts) ?? answer)
        : answer,
      request,
      facts,
    );
  }
  const ask: RuleAnswer = { type: 'ask', choices: choicesFor(request) };
  const { kind } = request;
  if (kind === 'memory' || kind === 'question' || kind === 'input') return ask;
  if (request.kind === 'fetch') {
    return answer(ruleFor(rules, (of) => of.kind === 'host' && of.host === request.host)) ?? ask;
  }
  if (request.kind === 'tool') {
    return answer(ruleFor(rules, (of) => of.kind === 'tool' && of.tool === request.tool)) ?? ask;
  }
  if (request.kind === 'edit' && request.profile !== undefined) return ask;
  const rule = ruleFor(rules, ({ kind }) => kind === 'edits');
  // Edits and moves can be undone; for a deletion, always ask the user.
  if (request.kind === 'delete' && rule?.decision === 'allow') return ask;
  // A lasting file is no ordinary edit: a rule may deny it, but none allows it.
  if (request.lasting !== undefined && rule?.decision === 'allow') return ask;
  return answer(rule) ?? ask;
}

/** Adds to a question what the command may destroy. */
function withDanger(
  answer: RuleAnswer,
  { command }: CommandRequest,
  { reading, isInside }: Facts,
): RuleAnswer {
  if (answer.type !== 'ask') return answer;
  const danger = dangerOf(command, reading, isInside);
  if (danger === undefined) return answer;
  const saysSame = danger.outside !== undefined && answer.why === outsideText(danger.outside);
  return { ...answer, why: saysSame ? undefined : answer.why, danger: danger.text };
}

function answer(rule: ApprovalRule | undefined): RuleAnswer | undefined {
  if (rule === undefined) return undefined;
  const text = ruleText(rule);
  return rule.decision === 'deny' ? { type: 'deny', rule: text } : { type: 'allow', rules: [text] };
}

/**
 * Allows a command in the sandbox if a rule says so. The user is asked when it names a file that outlasts
 * the session, when edits are denied and it changes a file, and, where a command is denied, when it might
 * hide that one.
 */
function inSandbox(
  request: CommandRequest,
  rules: readonly ApprovalRule[],
  { reading, ...facts }: Facts,
): RuleAnswer | undefined {
  const rule = ruleFor(rules, ({ kind }) => kind === 'sandbox');
  if (rule?.decision !== 'allow') return undefined;
  const lasting = reading?.ok
    ? lastingNamed(reading.parts, facts.place)
    : lastingIn(request.command);
  if (lasting !== undefined) return askAbout(request, lastingWhy(lasting));
  const hidden = reading?.ok
    ? withAllCarried(reading.parts).some(
        (part) =>
          mayHide(part) ||
          steeringVariable(part) !== undefined ||
          (!hasHarmlessOptions(part.words) && mentionsDenied(rules, part.words)) ||
          part.assignments.some(({ value }) => mentionsDenied(rules, ['', value])),
      )
    : true;
  if (hidden && rules.some(isDeniedCommand)) return undefined;
  const edits = ruleFor(rules, ({ kind }) => kind === 'edits');
  if (edits?.decision === 'deny' && (!reading?.ok || reading.parts.some(writes))) return undefined;
  return { type: 'allow', rules: [ruleText(rule)], inSandbox: true };
}

/** Whether the words of a program say that it changes a file. */
function writes(part: ShellPart): boolean {
  return withAllCarried([part]).some(
    ({ words, redirects }) =>
      redirects.some((one) => one.writes && one.path !== '/dev/null') || changesFiles(words),
  );
}

function mayHide({ words, hides, runsScript, isOpen }: ShellPart): boolean {
  // More words make no other program of `wc` or `git status`.
  return hides !== undefined || runsScript === true || (isOpen === true && !keepsFiles(words));
}

function isDeniedCommand({ decision, subject }: ApprovalRule): boolean {
  return decision === 'deny' && subject.kind === 'command';
}

function lastingWhy(path: string): string {
  return `It may change ${path}, which outlasts the session.`;
}

/** How the rules answer for one program and what it carries. */
type Judged =
  | { readonly type: 'deny'; readonly rule: ApprovalRule }
  | { readonly type: 'allow'; readonly rules: readonly ApprovalRule[] }
  | { readonly type: 'open' };

function decideCommand(
  request: CommandRequest,
  { reading, isInside, place }: Facts,
  rules: readonly ApprovalRule[],
): RuleAnswer {
  if (reading === undefined) return askAbout(request);
  if (!reading.ok) {
    return askAbout(request, `No rule can allow this command, because ${reading.message}.`);
  }
  const { parts } = reading;
  const isElsewhere = foldersEntered(parts).length > 1;
  const folder = realPath(place.root);
  const isFirst = folder === realPath(place.folders.first.root);
  const where: RunPlace = { isElsewhere, folder, isFirst };
  const judged = parts.map((part) => judge(part, rules, where));
  const denied = answer(judged.find((one) => one.type === 'deny')?.rule);
  if (denied !== undefined) return denied;
  const problem = leadsOutside(parts, isInside) ?? more(parts, rules, place);
  if (problem !== undefined) return askAbout(request, problem);
  const open = parts.filter(
    ({ words }, index) => words[0] !== 'cd' && judged[index]?.type === 'open',
  );
  const elsewhere = isElsewhere ? open.find(({ words }) => !runsAnywhere(words)) : undefined;
  if (elsewhere !== undefined) {
    return askAbout(
      request,
      `It runs ${elsewhere.words[0]} in another folder, where it may be another program.`,
    );
  }
  if (open.length > 0) {
    const offers = open.map((part) => patternsFor(judgedBy(part)));
    if (offers.some((patterns) => patterns.length === 0))
      return askAbout(
        request,
        'No rule can allow this command, because one of its patterns has spaces or quotes.',
      );
    return askAbout(request, undefined, offers, isFirst ? undefined : folder);
  }
  const used = judged.flatMap((one) => (one.type === 'allow' ? one.rules.map(ruleText) : []));
  return used.length === 0 ? askAbout(request) : { type: 'allow', rules: [...new Set(used)] };
}

/** A rule for all words of a program decides about what it carries, too; otherwise each is judged. */
function judge(part: ShellPart, rules: readonly ApprovalRule[], where: RunPlace): Judged {
  const rule = ruleForPart(rules, part, where);
  if (rule?.decision === 'allow') return { type: 'allow', rules: [rule] };
  if (rule !== undefined) return { type: 'deny', rule };
  const inner = judgedBy(part);
  if (inner !== part) return judge(inner, rules, where);
  const carried = part.carried.map((one) => judge(one, rules, where));
  return carried.find((one) => one.type === 'deny') ?? { type: 'open' };
}

/** The program that a rule must cover: the one that `timeout` or `nice` only passes on to. */
function judgedBy(part: ShellPart): ShellPart {
  const [inner] = part.carried;
  return inner === undefined || mayHide(part) || !isTransparent(part.words)
    ? part
    : judgedBy(inner);
}

/**
 * What a command does apart from running programs, which is all that command rules allow. A
 * redirection to a file is an edit, and is allowed where edits are.
 */
function more(
  parts: readonly ShellPart[],
  rules: readonly ApprovalRule[],
  place: FolderPlace,
): string | undefined {
  const all = withAllCarried(parts);
  const variable = all.flatMap(({ assignments }) => assignments)[0];
  if (variable !== undefined) return `It sets the variable ${variable.name}.`;
  const byGit = whyFolderAsRemote(parts, place) ?? whyCommandUnderWay(parts, place);
  if (byGit !== undefined) return byGit;
  const lasting = lastingNamed(parts, place);
  if (lasting !== undefined) return lastingWhy(lasting);
  const written = all
    .flatMap(({ redirects }) => redirects)
    .find(({ writes, path }) => writes && path !== '/dev/null');
  if (written === undefined) return undefined;
  const rule = ruleFor(rules, ({ kind }) => kind === 'edits');
  return rule?.decision === 'allow' ? undefined : `It writes to ${written.path}.`;
}

/** `offers` has the patterns for each program of the command, the narrowest first. */
function askAbout(
  request: CommandRequest,
  why?: string,
  offers: readonly (readonly string[])[] = [],
  folder?: string,
): RuleAnswer {
  return { type: 'ask', choices: choicesForCommand(request, offers, folder), why };
}

/** The rules that could answer such a question; only a command has several. */
function choicesFor(request: Exclude<ApprovalRequest, CommandRequest>): readonly RuleChoice[] {
  switch (request.kind) {
    case 'memory':
    case 'question':
    case 'input':
    case 'delete':
      return [];
    case 'edit':
    case 'move': {
      const isOwn = request.lasting !== undefined || 'profile' in request;
      return isOwn ? [] : [choiceOf([{ kind: 'edits' }])];
    }
    case 'fetch':
      return [choiceOf([{ kind: 'host', host: request.host }])];
    case 'tool':
      return [choiceOf([{ kind: 'tool', tool: request.tool }])];
  }
}

function choicesForCommand(
  request: CommandRequest,
  offers: readonly (readonly string[])[],
  folder: string | undefined,
): readonly RuleChoice[] {
  if (request.outside !== undefined) return [];
  const sandboxed: readonly RuleChoice[] =
    request.sandbox === undefined
      ? []
      : [{ ...choiceOf([{ kind: 'sandbox' }]), means: request.sandbox }];
  if (offers.length === 0) return sandboxed;
  const narrow = offers.flatMap(([first]) => (first === undefined ? [] : [first]));
  const wide = offers.flatMap((patterns) => patterns.at(-1) ?? []);
  const choices = [narrow, wide].map((patterns) => choiceOf(commandsOf(patterns, folder)));
  const different = choices.filter(({ text }, index) => index === 0 || text !== choices[0]?.text);
  return [...different, ...sandboxed];
}

function commandsOf(
  patterns: readonly string[],
  folder: string | undefined,
): readonly RuleSubject[] {
  const where = folder === undefined ? {} : { folder };
  return [...new Set(patterns)].map((pattern) => ({ kind: 'command', pattern, ...where }));
}

function choiceOf(subjects: readonly RuleSubject[]): RuleChoice {
  return { subjects, text: subjects.map(subjectText).join(' and ') };
}
