import type { VNode } from 'preact';
import type { Conversation, GaugeView } from '../../src/editor/conversation/state';
import type { CostsView } from '../../src/editor/session/state';
import { Icon, Mark } from '../kit/icon';
import { LinkedSessions } from '../kit/linkedSessions';
import {
  ESTIMATE_MARK,
  formatNumber,
  formatShare,
  formatTokens,
  originOfTokens,
  share,
} from '../kit/tokens';
import { Button } from '../kit/toolkit';
import { costsWords, WORDS } from './words';
import { useAgentView } from './agentViewStore';

/** Shows the session and how full the window is. */
export function Header({ conversation }: { readonly conversation: Conversation }): VNode {
  const store = useAgentView();
  const { title, offline, gauge, costs, elsewhere } = conversation;
  return (
    <header class="header">
      <div class="header-line">
        <Mark />
        <h1 class="header-title ellipsis" title={title}>
          {title}
        </h1>
        <Button
          appearance="icon"
          label={WORDS.header.newSession}
          data-testid="new-session"
          onClick={() => store.wish({ type: 'startSession' })}
        >
          <Icon name="create" />
        </Button>
      </div>
      <div class="header-line small">{gauge && <Gauge gauge={gauge} />}</div>
      {costs && <Costs costs={costs} />}
      {elsewhere && (
        <button
          type="button"
          class="elsewhere plain link small"
          data-testid="elsewhere"
          data-waiting={elsewhere.isWaiting}
          title={WORDS.header.listSessions}
          onClick={() => store.wish({ type: 'runCommand', command: 'sessions' })}
        >
          {elsewhere.isWaiting && <Icon name="bell" />}
          {elsewhere.words}
        </button>
      )}
      <LinkedSessions
        links={conversation.links}
        onOpen={(session) => store.wish({ type: 'openLinked', session })}
      />
      {offline && <OfflineMark testId="offline-mark" />}
    </header>
  );
}

/** Shows how full the window is; a click opens the Context panel. */
function Gauge({ gauge }: { readonly gauge: GaugeView }): VNode {
  const store = useAgentView();
  const { usedTokens, exact, inputBudget } = gauge;
  const isOver = usedTokens > inputBudget;
  const used = formatTokens({ tokens: usedTokens, exact });
  const title = `Context window: ${used} / ${formatNumber(inputBudget)} tokens (${exact ? '' : `${ESTIMATE_MARK}\u00a0`}${formatShare(usedTokens, inputBudget)}), ${originOfTokens(exact)}. ${WORDS.header.openPanel}`;
  return (
    <button
      type="button"
      class="gauge plain number"
      data-testid="gauge"
      data-exact={exact}
      data-over={isOver}
      aria-label={title}
      title={title}
      onClick={() => store.wish({ type: 'openContextPanel' })}
    >
      <span>
        {used}
        <span class="quiet"> / {formatNumber(inputBudget)}</span>
      </span>
      <span class="gauge-track">
        <span class="gauge-fill" style={{ width: `${share(usedTokens, inputBudget) * 100}%` }} />
      </span>
    </button>
  );
}

/** The cost of the turn and the session in one line; a click opens the Context panel. */
function Costs({ costs }: { readonly costs: CostsView }): VNode {
  const store = useAgentView();
  const words = costsWords(costs);
  return (
    <button
      type="button"
      class="costs plain"
      data-testid="costs"
      title={`${words.join(' · ')}. ${WORDS.header.listPrices} ${WORDS.header.openPanel}`}
      onClick={() => store.wish({ type: 'openContextPanel' })}
    >
      <span class="parts small quiet">
        {words.map((part, index) => (
          <>
            {index > 0 && ' '}
            <span key={part}>{part}</span>
          </>
        ))}
      </span>
    </button>
  );
}

/** Marks scripted answers. */
export function OfflineMark({ testId }: { readonly testId: string }): VNode {
  return (
    <p class="offline small" data-testid={testId}>
      {WORDS.header.offline}
    </p>
  );
}
