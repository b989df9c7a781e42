import { apportion } from '../../../contextWindow/account/measure';
import { promptTokens, type Usage } from '../../../contextWindow/account/spending';
import type { Estimate } from '../../../contextWindow/truncate';
import type {
  CapturedBody,
  CapturedPart,
  CapturedSection,
} from '../../../recordings/captures/capturedBody';
import type { CapturedCall } from '../../../recordings/captures/capturedCall';
import type { CapturedCounts, RequestSection, RequestView } from './state';

/** The texts that the model reads of a captured request. */
export function readTexts({ sections }: CapturedBody): readonly string[] {
  return sections.flatMap(({ parts }) => parts.map(readText));
}

const AS_LOGGED = "VS Code's debug log has its texts, but not its cache breakpoints.";

/** Formats a captured request for reading, in the order of the prompt-cache prefix. */
export function capturedView(
  { model, usage, request }: CapturedCall,
  { maxTokens, settings, sections }: CapturedBody,
  step: number,
  estimate: Estimate,
): RequestView {
  const { tokens, counts } = attributed(sections, usage, estimate);
  return {
    step,
    model,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(settings.length === 0 ? {} : { reasoning: settings }),
    notes: request.bytes === undefined ? [] : [AS_LOGGED],
    captured: counts,
    sections: sections.map((section, index): RequestSection => ({
      id: section.id,
      title: section.title,
      role: section.role,
      parts: section.parts.map(({ read: _read, ...part }) => part),
      // A request for edits is no text that the model reads.
      ...(section.id === 'edits' ? {} : { tokens: tokens[index] ?? 0 }),
    })),
  };
}

/**
 * Splits the server's count among the sections. Their weights are estimates: if they are lower than
 * the count, the rest belongs to no section; if they are higher, all are lowered in proportion.
 */
function attributed(
  sections: readonly CapturedSection[],
  usage: Usage | undefined,
  estimate: Estimate,
): { readonly tokens: readonly number[]; readonly counts: CapturedCounts } {
  const estimated = sections.map(({ parts }) =>
    sumOf(parts.map((part) => estimate(readText(part)))),
  );
  const none = { cacheRead: 0, cacheWrite: 0, fresh: 0, reply: 0, unattributed: 0 };
  if (usage === undefined) return { tokens: estimated, counts: none };
  const total = promptTokens(usage);
  const sum = sumOf(estimated);
  const tokens = sum > total ? apportion(total, estimated) : estimated;
  const counts: CapturedCounts = {
    total,
    cacheRead: usage.cacheReadTokens,
    cacheWrite: usage.cacheCreationTokens,
    fresh: usage.inputTokens,
    reply: usage.outputTokens,
    unattributed: total - sumOf(tokens),
  };
  const end = cacheEnd(sections, tokens, counts);
  return { tokens, counts: end === undefined ? counts : { ...counts, cacheEnd: end } };
}

/** The section in which the tokens read from the cache end. */
function cacheEnd(
  sections: readonly CapturedSection[],
  tokens: readonly number[],
  { total = 0, cacheRead, unattributed }: CapturedCounts,
): string | undefined {
  if (cacheRead === 0) return undefined;
  // Unattributed tokens are spread over all sections.
  const scale = total / Math.max(1, total - unattributed);
  let passed = 0;
  const at = tokens.findIndex((each) => {
    passed += each * scale;
    return Math.round(passed) >= cacheRead;
  });
  return sections.at(at)?.id;
}

/** Formats it as plain text, for an editor. */
export function capturedText({ model }: CapturedCall, body: CapturedBody): string {
  return textOf(model, body, ({ title, text, breakpoint }) => {
    const mark = breakpoint === true ? ' · prompt-cache breakpoint after it' : '';
    return `── ${title}${mark}\n${text}`;
  });
}

/**
 * The same for a diff with another request: without what changes in every request. Agents move the
 * cache breakpoints, and name the request before.
 */
export function comparedText({ model }: CapturedCall, body: CapturedBody): string {
  return textOf(
    model,
    body,
    ({ title, text }) =>
      `── ${title}\n${text.replace(/\bcc_(prev_req|prompt_id)=[\w-]+/g, 'cc_$1=…')}`,
  );
}

function textOf(
  model: string,
  { maxTokens, settings, sections }: CapturedBody,
  partText: (part: CapturedPart) => string,
): string {
  const head = [
    `model: ${model}`,
    ...(maxTokens === undefined ? [] : [`max_tokens: ${maxTokens}`]),
    ...settings,
  ];
  const texts = sections.map(({ title, parts }) =>
    [`══ ${title}`, ...parts.map(partText)].join('\n\n'),
  );
  return `${[head.join('\n'), ...texts].join('\n\n')}\n`;
}

function readText({ text, read = text }: CapturedPart): string {
  return read;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
