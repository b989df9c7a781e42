import type { ComponentChildren, VNode } from 'preact';
import type { Activity, TurnView } from '../../src/protocol/agentView';
import { OfflineMark } from './offlineMark';
import { PassRow } from './passRow';
import { Step } from './step';
import { TurnFooter } from './turnFooter';

export interface TurnProps {
  readonly turn: TurnView;
  readonly isOffline: boolean;
  readonly activity: Activity;
  /** The reply in flight, where this turn is the one it belongs to. */
  readonly children: ComponentChildren;
}

/** Shows a prompt and all that followed from it. */
export function Turn({ turn, isOffline, activity, children }: TurnProps): VNode {
  return (
    <article class="turn" data-testid="turn" data-turn={turn.turn} aria-label={`Turn ${turn.turn}`}>
      <p class="prompt">{turn.prompt}</p>
      {isOffline && <OfflineMark testId="turn-offline-mark" />}
      {turn.items.map((item) =>
        item.type === 'step' ? (
          <Step key={`step ${item.step}`} step={item} activity={activity} />
        ) : (
          <PassRow key={`pass ${item.number}`} pass={item} />
        ),
      )}
      {children}
      <TurnFooter turn={turn} />
    </article>
  );
}
