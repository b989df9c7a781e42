import type { VNode } from 'preact';
import type { Conversation } from '../../src/protocol/agentView';
import { Icon } from '../ui/icon';
import { Mark } from '../ui/mark';
import { Button } from '../ui/toolkit';
import { useAgent } from './agentContext';
import { Gauge } from './gauge';
import { OfflineMark } from './offlineMark';

/** Says which session this is, who answers, and how full the window is. */
export function Header({ conversation }: { readonly conversation: Conversation }): VNode {
  const store = useAgent();
  const { title, model, offline, gauge } = conversation;
  return (
    <header class="header">
      <div class="header-line">
        <Mark />
        <h1 class="header-title ellipsis" title={title}>
          {title}
        </h1>
        <Button
          appearance="icon"
          label="New session"
          data-testid="new-session"
          onClick={() => store.wish({ type: 'startSession' })}
        >
          <Icon name="create" />
        </Button>
      </div>
      <div class="header-line small">
        <span class="header-model quiet ellipsis" title={model}>
          {model}
        </span>
        <Gauge gauge={gauge} />
      </div>
      {offline && <OfflineMark testId="offline-mark" />}
    </header>
  );
}
