import type { ContextWindow } from '../../contextWindow/window';
import type { ToolDefinition } from '../../contextWindow/event';
import { preambleOf } from '../../contextWindow/request/request';
import type { Estimate } from '../../contextWindow/truncate';
import { tokenText } from '../../contextWindow/amount';
import { costOf } from '../../model/pricing';

/** A tool that can be switched on and off, or why it cannot. */
export interface ToolRow {
  /** The name that the settings have it by. */
  readonly name: string;
  readonly description: string;
  /** Estimate of what its definition takes in every request; 0 for one that cannot be sent. */
  readonly tokens: number;
  readonly isOn: boolean;
  /** Why it cannot be switched, as a sentence; absent where it can. */
  readonly fixed?: string;
}

/** The tools of one provider. */
export interface ToolGroup {
  readonly label: string;
  /** True for Plimsoll's own, which are on until they are switched off. */
  readonly isOwn: boolean;
  readonly rows: readonly ToolRow[];
}

/** What the tree of tools is drawn from. */
export interface ToolChoiceFacts {
  readonly own: readonly ToolDefinition[];
  /** Names of those of Plimsoll's that cannot be switched off. */
  readonly needed: ReadonlySet<string>;
  readonly others: readonly OfferedRow[];
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
  readonly estimate: Estimate;
}

/** A tool that another extension or an MCP server offers; `why`: it cannot be sent. */
export interface OfferedRow {
  readonly name: string;
  readonly provider: string;
  readonly description: string;
  readonly definition?: ToolDefinition;
  readonly why?: string;
}

/** Groups the tools by who provides them: Plimsoll's first, those that are missing last. */
export function toolGroups(facts: ToolChoiceFacts): readonly ToolGroup[] {
  const { own, needed, others, enabled, disabled, estimate } = facts;
  const ownRows = own.map((definition): ToolRow => {
    const { name, description } = definition;
    const isNeeded = needed.has(name);
    return {
      name,
      description,
      tokens: definitionTokens(definition, estimate),
      isOn: isNeeded || !disabled.includes(name),
      ...(isNeeded ? { fixed: 'The agent cannot do without it.' } : {}),
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
        .map((one) => otherRow(one, enabled, estimate)),
    })),
    ...(missing.length === 0
      ? []
      : [{ label: 'Chosen, and not there now', isOwn: false, rows: missing.map(missingRow) }]),
  ];
}

function otherRow(
  { name, description, definition, why }: OfferedRow,
  enabled: readonly string[],
  estimate: Estimate,
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
        tokens: definitionTokens(definition, estimate),
        isOn: enabled.includes(name),
      };
}

/** It can be taken out of the choice, so it is not fixed. */
function missingRow(name: string): ToolRow {
  const description = 'This tool is not offered now: the agent works without it.';
  return { name, description, tokens: 0, isOn: true };
}

/** Estimates what a definition takes in every request. */
export function definitionTokens(definition: ToolDefinition, estimate: Estimate): number {
  return estimate(JSON.stringify(preambleOf({ system: '', tools: [definition] }).tools[0]));
}

/** Says in a row what a tool costs: "≈ 120 tokens". */
export function rowWords({ tokens }: Pick<ToolRow, 'tokens'>): string {
  return tokens === 0 ? '' : `≈ ${tokenText(tokens)} tokens`;
}

/** What the choice costs, and what it does to the session. */
export interface ChoiceFacts {
  readonly groups: readonly ToolGroup[];
  /** The tools of the next prompt. */
  readonly next: readonly ToolDefinition[];
  readonly window: ContextWindow;
  /** Tokens of the next request as it stands. */
  readonly used: number;
  readonly model: string;
  /** True while the scripted model answers. */
  readonly offline: boolean;
}

/** Says what the chosen tools cost per request, and what a change does to the prompt cache. */
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
  const total = `${on.length === 1 ? '1 tool is' : `${on.length} tools are`} on: ≈ ${tokenText(tokens)} tokens in every request`;
  const price = offline
    ? 'no charge (offline)'
    : `${dollars(model, tokens, 'read')} from the prompt cache, ${dollars(model, tokens, 'written')} where it is written anew`;
  const isSame = haveSameTools(window.preamble.tools, next);
  if (window.step === 0 || isSame) return [`${total}; ${price}.`];
  const anew = offline
    ? ''
    : ` Its input without cache: ${dollars(model, used, 'written')}; from the cache: ${dollars(model, used, 'read')}.`;
  return [
    `${total}; ${price}.`,
    `The tools differ from those of the last request: with the next prompt the prompt cache begins anew.${anew} Go back to the former choice before it, and nothing is lost.`,
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
  return cost === 'unknown' ? 'price unknown' : `≈ $${cost.usd.toFixed(4)}`;
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
