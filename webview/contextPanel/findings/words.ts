import type { FindingView } from '../../../src/editor/contextPanel/findings/state';
import { ESTIMATE_MARK, formatNumber, formatShare, formatTokens } from '../../kit/tokens';
import { formatCount } from '../../kit/words';
import { formatDollars } from '../parts/format';

/** Says what was found and what it costs; a sentence. */
export function findingWords(finding: FindingView): string {
  const cost = `${formatTokens(finding.tokens)} tokens`;
  switch (finding.kind) {
    case 'reread':
      return `${finding.path} was read again ${formatCount(finding.times, 'time')}: ${cost}.`;
    case 'unusedTools':
      return `${formatCount(finding.tools, 'tool')} of ${finding.provider}, never called: ${cost} in every request.`;
    case 'cacheExpired':
      return `The prompt cache expired: the next request writes ${cost} again.`;
    case 'unusedResult':
      return `${finding.label} fills ${formatShare(finding.share, 1)} and was not used for ${formatCount(finding.steps, 'step')}.`;
  }
}

/** The same with its price, for a tooltip. */
export function findingHint(finding: FindingView): string {
  const { dollars } = finding;
  const words = findingWords(finding);
  if (dollars === undefined) return words;
  const each = finding.kind === 'unusedResult' || finding.kind === 'unusedTools';
  const price = `${guessed(formatDollars(dollars))} at list price`;
  return `${words} That is ${price}${each ? ' in each request, from the prompt cache' : ''}.`;
}

/** The button, and what it does. */
export function actionWords({ act, tokens }: FindingView): {
  readonly text: string;
  readonly hint: string;
} {
  switch (act.type) {
    case 'chooseFile':
      return {
        text: 'Always show it',
        hint: 'Every pass that shows excerpts shows this file first',
      };
    case 'pinBlock':
      return { text: 'Keep it', hint: 'Pins the newest read, so that no pass removes it' };
    case 'turnToolsOff':
      return {
        text: act.names.length === 1 ? 'Turn it off' : 'Turn them off',
        hint: 'From the next prompt on, which starts a new prompt cache',
      };
    case 'compactNow':
      return { text: 'Compact Now', hint: 'A pass now loses no prompt cache: it has expired' };
    case 'clearBlock':
      return {
        text: `Clear it (${formatTokens(tokens)})`,
        hint: 'Replaces the result by a placeholder; the agent can recall it',
      };
  }
}

/** "1 of 3 findings". */
export function ofWords(count: number): string {
  return `1 of ${formatNumber(count)} findings`;
}

function guessed(dollars: string): string {
  return dollars.startsWith('$') ? `${ESTIMATE_MARK}\u00a0${dollars}` : dollars;
}
