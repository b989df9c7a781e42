import { countText, dollarAmountText } from '../../../src/editor/coreForPages';
import type { FindingView } from '../../../src/editor/contextPanel/findings/state';
import { formatNumber, formatShare, formatTokens } from '../../kit/tokens';

/** Says what was found and what it costs; a sentence. */
export function findingWords(finding: FindingView): string {
  const cost = `${formatTokens(finding.tokens)} tokens`;
  switch (finding.kind) {
    case 'reread':
      return `${finding.path} was read again ${countText(finding.times, 'time')}: ${cost}.`;
    case 'unusedTools':
      return `${countText(finding.tools, 'tool')} of ${finding.provider}, never called: ${cost} in every request.`;
    case 'cacheExpired':
      return `The prompt cache expired: the next request writes ${cost} again.`;
    case 'unusedResult':
      return `${finding.label} fills ${formatShare(finding.share, 1)} and was not used for ${countText(finding.steps, 'step')}.`;
    case 'neededInSessions':
      return `${finding.path}: needed again in ${countText(finding.sessions.length, 'session')}, ${cost}.`;
  }
}

/** The same with its price and origin, for a tooltip. */
export function findingHint(finding: FindingView): string {
  const parts = [findingWords(finding), priceWords(finding), originWords(finding)];
  return parts.filter((part) => part !== '').join(' ');
}

function priceWords({ kind, dollars }: FindingView): string {
  if (dollars === undefined) return '';
  const each = kind === 'unusedResult' || kind === 'unusedTools';
  const price = `${dollarAmountText(dollars)} at list price`;
  return `That is ${price}${each ? ' in each request, from the prompt cache' : ''}.`;
}

/** The sessions that an offer comes from; '' for other findings. */
function originWords(finding: FindingView): string {
  if (finding.kind !== 'neededInSessions') return '';
  const named = finding.sessions.map(
    ({ title, times }) => `${title} (${countText(times, 'time')})`,
  );
  return `Read again after a pass in: ${named.join(', ')}.`;
}

/** The button that dismisses an offer. */
export const DISMISS = { text: 'Dismiss', hint: 'Plimsoll does not offer this file again' };

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
    case 'rememberNeeded':
      return {
        text: 'Remember',
        hint: 'Puts a prompt into the composer: the agent proposes a line for project memory, and you approve it',
      };
    case 'dismissNeeded':
      return DISMISS;
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
