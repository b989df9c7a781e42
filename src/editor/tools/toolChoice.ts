import type { ContextWindow } from '../../contextWindow/window';
import type { ToolDefinition } from '../../contextWindow/event';
import { preambleOf } from '../../contextWindow/request/request';
import type { Estimate } from '../../contextWindow/truncate';
import { tokenText, dollarAmountText } from '../../contextWindow/amount';
import { costOf } from '../../model/pricing';

/** A tool that can be switched on and off, or why it cannot. */
export interface ToolRow {
  /** Its name in the settings. */
  readonly name: string;
  readonly description: string;
  /** Estimate of its definition's tokens in every request; 0 for one that cannot be sent. */
  readonly tokens: number;
  readonly isOn: boolean;
  /** Why it cannot be switched, as a sentence; absent if it can. */
  readonly fixed?: string;
}

/** The tools of one provider. */
export interface ToolGroup {
  readonly label: string;
  /** True for Plimsoll's own, which are on by default. */
  readonly isOwn: boolean;
  readonly rows: readonly ToolRow[];
}

/** The data for the tree of tools. */
interface ToolChoiceFacts {
  readonly own: readonly ToolDefinition[];
  /** Names of Plimsoll's tools that cannot be switched off. */
  readonly needed: ReadonlySet<string>;
  readonly others: readonly OfferedRow[];
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
  /** The text that each tool adds to a request; absent for whole definitions. */
  readonly sent?: ReadonlyMap<string, string>;
  readonly estimate: Estimate;
}

/** A tool of another extension or an MCP server; `why`: it cannot be sent. */
export interface OfferedRow {
  readonly name: string;
  readonly provider: string;
  readonly description: string;
  readonly definition?: ToolDefinition;
  readonly why?: string;
}

/** Groups the tools by provider: Plimsoll's first, missing ones last. */
export function toolGroups(facts: ToolChoiceFacts): readonly ToolGroup[] {
  const { own, needed, others, enabled, disabled, estimate, sent } = facts;
  const weigh: Weigh = (definition) => {
    const text = sent?.get(definition.name);
    return text === undefined ? definitionTokens(definition, estimate) : estimate(text);
  };
  const ownRows = own.map((definition): ToolRow => {
    const { name, description } = definition;
    const isNeeded = needed.has(name);
    return {
      name,
      description,
      tokens: weigh(definition),
      isOn: isNeeded || !disabled.includes(name),
      ...(isNeeded ? { fixed: 'The agent needs it.' } : {}),
    };
  });
  const providers = [...new Set(others.map(({ provider }) => provider))].sort((a, b) =>
    a.localeCompare(b),
  );
  const missing = [...new Set(enabled)].filter((name) => !others.some((one) => one.name === name));
  return [
    { label: 'Plimsoll', isOwn: true, rows: ownRows },
    ...providers.map((label): ToolGroup => ({
      label,
      isOwn: false,
      rows: others
        .filter(({ provider }) => provider === label)
        .map((one) => otherRow(one, enabled, weigh)),
    })),
    ...(missing.length === 0
      ? []
      : [{ label: 'Chosen but missing', isOwn: false, rows: missing.map(missingRow) }]),
  ];
}

type Weigh = (definition: ToolDefinition) => number;

function otherRow(
  { name, description, definition, why }: OfferedRow,
  enabled: readonly string[],
  weigh: Weigh,
): ToolRow {
  return definition === undefined
    ? {
        name,
        description,
        tokens: 0,
        isOn: false,
        fixed: `It cannot be chosen: ${why ?? 'it cannot be sent'}.`,
      }
    : {
        name,
        description,
        tokens: weigh(definition),
        isOn: enabled.includes(name),
      };
}

/** It can be removed from the choice, so it is not fixed. */
function missingRow(name: string): ToolRow {
  const description = 'This tool is missing now: the agent works without it.';
  return { name, description, tokens: 0, isOn: true };
}

/** Estimates the tokens of a definition in every request. */
export function definitionTokens(definition: ToolDefinition, estimate: Estimate): number {
  return estimate(JSON.stringify(preambleOf({ system: '', tools: [definition] }).tools[0]));
}

/** The cost of a tool in its row: "≈ 120 tokens". */
export function rowWords({ tokens }: Pick<ToolRow, 'tokens'>): string {
  return tokens === 0 ? '' : `≈ ${tokenText(tokens)} tokens`;
}

/** The cost of the choice, and its effect on the session. */
interface ChoiceFacts {
  readonly groups: readonly ToolGroup[];
  /** The tools of the next prompt. */
  readonly next: readonly ToolDefinition[];
  readonly window: ContextWindow;
  /** Tokens of the next request in its present form. */
  readonly used: number;
  readonly model: string;
  /** True while the scripted model answers. */
  readonly offline: boolean;
}

/** Says what the chosen tools cost per request, and how a change affects the prompt cache. */
export function choiceWords({
  groups,
  next,
  window,
  used,
  model,
  offline,
}: ChoiceFacts): readonly string[] {
  const on = groups.flatMap(({ rows }) => rows).filter(({ isOn, tokens }) => isOn && tokens > 0);
  const tokens = on.reduce((sum, row) => sum + row.tokens, 0);
  const holder = next.find(({ holds }) => holds !== undefined);
  const held =
    holder === undefined
      ? []
      : [`The window is small: ${holder.name} calls ${holder.holds?.length ?? 0} of them.`];
  const total = `${on.length === 1 ? '1 tool is' : `${on.length} tools are`} on: ≈ ${tokenText(tokens)} tokens in every request`;
  const price = offline
    ? 'no charge (offline)'
    : `${dollars(model, tokens, 'read')} from the prompt cache, ${dollars(model, tokens, 'written')} where it is written again`;
  const isSame = haveSameTools(window.preamble.tools, next);
  const first = [`${total}; ${price}.`, ...held];
  if (window.step === 0 || isSame) return first;
  const costs = offline
    ? ''
    : ` Its input without cache: ${dollars(model, used, 'written')}; from the cache: ${dollars(model, used, 'read')}.`;
  return [
    ...first,
    `The tools differ from those of the last request: the next prompt starts a new prompt cache.${costs} Switch back before you send it, and nothing is lost.`,
  ];
}

function haveSameTools(sent: readonly ToolDefinition[], next: readonly ToolDefinition[]): boolean {
  const textOf = (tools: readonly ToolDefinition[]): string =>
    JSON.stringify(preambleOf({ system: '', tools }).tools);
  return textOf(sent) === textOf(next);
}

function dollars(model: string, tokens: number, how: 'read' | 'written'): string {
  const cost = costOf(model, {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: how === 'read' ? tokens : 0,
    cacheCreationTokens: how === 'written' ? tokens : 0,
  });
  return cost === 'unknown' ? 'price unknown' : dollarAmountText(cost.usd);
}

/** The tool settings after a row is switched. */
export function switched(
  { enabled, disabled }: Pick<ToolChoiceFacts, 'enabled' | 'disabled'>,
  { isOwn }: Pick<ToolGroup, 'isOwn'>,
  names: readonly string[],
  isOn: boolean,
): Pick<ToolChoiceFacts, 'enabled' | 'disabled'> {
  const listed = isOwn ? disabled : enabled;
  const without = listed.filter((name) => !names.includes(name));
  const changed = isOn === isOwn ? without : [...without, ...names];
  return isOwn ? { enabled, disabled: changed } : { enabled: changed, disabled };
}
