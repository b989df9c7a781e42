import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import { ESTIMATE_MARK } from '../../src/editor/coreForPages';
import type { Conversation, GaugeView } from '../../src/editor/conversation/state';
import type { CostsView } from '../../src/editor/session/state';
import { Icon } from '../kit/icon';
import { LinkedSessions } from '../kit/linkedSessions';
import { formatShare, share } from '../kit/tokens';
import { Button } from '../kit/toolkit';
import { useAgentView } from './agentViewStore';
import { costsWords, gaugeWords, WORDS } from './words';

/** One line: the session and how full the window is; the numbers behind it are in the details. */
export function Header({ conversation }: { readonly conversation: Conversation }): VNode {
  const store = useAgentView();
  const details = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { title, offline, gauge, costs, elsewhere } = conversation;
  return (
    <header class="header">
      <div class="header-line">
        <h1 class="header-title ellipsis" title={title}>
          {title}
        </h1>
        {offline && <OfflineMark testId="offline-mark" />}
        {gauge && <Gauge gauge={gauge} costs={costs} />}
        <span class="header-buttons">
          <Button
            appearance="icon"
            label={WORDS.header.newSession}
            data-testid="new-session"
            onClick={() => store.wish({ type: 'startSession' })}
          >
            <Icon name="create" />
          </Button>
          <button
            type="button"
            class="plain header-more"
            data-testid="session-details"
            aria-label={WORDS.header.details}
            title={WORDS.header.details}
            aria-expanded={isOpen}
            aria-controls={details}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Icon name="more" />
          </button>
        </span>
      </div>
      <div id={details} class="header-details small" hidden={!isOpen}>
        {isOpen && (
          <>
            {gauge && <p data-testid="details-window">{gaugeWords(gauge)}</p>}
            {costs && <Costs costs={costs} />}
            <LinkedSessions
              links={conversation.links}
              onOpen={(session) => store.wish({ type: 'openLinked', session })}
            />
            <button
              type="button"
              class="plain link"
              data-testid="details-panel"
              onClick={() => store.wish({ type: 'openContextPanel' })}
            >
              {WORDS.header.openPanel}
            </button>
          </>
        )}
      </div>
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
    </header>
  );
}

type GaugeProps = { readonly gauge: GaugeView } & Pick<Conversation, 'costs'>;

/**
 * Shows how full the window is, in percent of the input budget, and on hover the tokens and costs;
 * a click opens the Context panel.
 */
function Gauge({ gauge, costs }: GaugeProps): VNode {
  const store = useAgentView();
  const { usedTokens, exact, inputBudget } = gauge;
  const percent = formatShare(usedTokens, inputBudget);
  const title = [
    WORDS.header.window(gaugeWords(gauge)),
    ...(costs === undefined
      ? []
      : [`${costsWords(costs).join(' · ')}. ${WORDS.header.listPrices}`]),
    WORDS.header.openPanel,
  ].join('\n');
  return (
    <button
      type="button"
      class="gauge plain number small"
      data-testid="gauge"
      data-exact={exact}
      data-used={usedTokens}
      data-over={usedTokens > inputBudget}
      aria-label={title}
      title={title}
      onClick={() => store.wish({ type: 'openContextPanel' })}
    >
      <span class="gauge-track">
        <span class="gauge-fill" style={{ width: `${share(usedTokens, inputBudget) * 100}%` }} />
      </span>
      {exact ? percent : `${ESTIMATE_MARK}\u00a0${percent}`}
    </button>
  );
}

/** The cost of the turn and the session, and what of the prompt cache and passes saved. */
function Costs({ costs }: { readonly costs: CostsView }): VNode {
  return (
    <p class="parts" data-testid="costs" title={WORDS.header.listPrices}>
      {costsWords(costs).map((part, index) => (
        <>
          {index > 0 && ' '}
          <span key={part}>{part}</span>
        </>
      ))}
    </p>
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
