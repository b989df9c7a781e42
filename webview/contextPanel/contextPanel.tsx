import type { VNode } from 'preact';
import type { SourceView } from '../../src/editor/session/state';
import type { ContextWish } from '../../src/editor/contextPanel/wishes';
import { Banner, type BannerProps, CapNotice, Intro } from './frame/banners';
import { Cards } from './cards/cards';
import { BlockList } from './blocks/blockList';
import { Findings } from './findings/findings';
import { PanelHeader } from './frame/panelHeader';
import { Opening } from './opening/opening';
import type { PanelStore } from './store/panelStore';
import { ScratchpadDialog } from './dialogs/scratchpadDialog';
import { SideColumn } from './side/sideColumn';
import { SourceBar } from './frame/sourceBar';
import { SummaryDialog } from './dialogs/summaryDialog';
import { TimelineChart } from './timeline/timelineChart';
import { useTravelKeys } from './frame/travel';
import { Waiting } from '../kit/waiting';
import { WhatIfDialog } from './whatIf/whatIfDialog';
import { WindowFill } from './bar/windowFill';

/** Draws the Context panel: how full the window is, its blocks, and the passes. */
export function ContextPanel({ store }: { readonly store: PanelStore }): VNode {
  useTravelKeys(store);
  const context = store.context.value;
  const opening = store.opening.value;
  if (opening !== undefined) {
    return (
      <main class="panel">
        <Opening opening={opening} wish={store.wish} />
      </main>
    );
  }
  if (context === undefined) {
    return (
      <main class="panel">
        <Waiting class="waiting quiet" data-testid="session-waits">
          Waiting for the session…
        </Waiting>
      </main>
    );
  }
  const { session, events, source, showIntro, capNotice, problem, reviewWaits } = context;
  const refusal = store.refusal.value;
  return (
    <main class="panel" data-session={session} data-events={events}>
      <PanelHeader store={store} context={context} />
      {problem !== undefined && (
        <Banner kind="problem" message={problem} action={wayOut(source, store)} />
      )}
      {reviewWaits && (
        <Banner
          kind="waiting"
          message="A pass is waiting for your review."
          action={{ label: 'Show', run: () => void store.wish(wayToReview(source)) }}
        />
      )}
      {source.type === 'recording' && <SourceBar source={source} store={store} context={context} />}
      {showIntro && <Intro wish={store.wish} />}
      {capNotice !== undefined && <CapNotice message={capNotice} wish={store.wish} />}
      <WindowFill store={store} context={context} />
      <Cards store={store} context={context} />
      <Findings store={store} context={context} />
      <TimelineChart store={store} context={context} />
      <div class="columns">
        <BlockList store={store} context={context} />
        <SideColumn store={store} context={context} />
      </div>
      {/* Last, and fixed to the end of the view: nothing above it moves when it appears. */}
      {refusal !== undefined && (
        <Banner
          kind="refusal"
          message={refusal}
          action={{ label: 'Dismiss', run: store.dismissRefusal }}
        />
      )}
      <ScratchpadDialog store={store} />
      <SummaryDialog store={store} />
      <WhatIfDialog store={store} context={context} />
    </main>
  );
}

/** A problem of a recording is in its file, never in the settings. */
function wayOut(source: SourceView, { wish }: PanelStore): BannerProps['action'] {
  if (source.type === 'session') {
    return { label: 'Settings', run: () => void wish({ type: 'openSettings' }) };
  }
  if (!source.following) return undefined;
  const run = () => void wish({ type: 'followRecording', following: false });
  return { label: 'Stop Following', run };
}

/** A pass waits in the current session, at the present. */
function wayToReview(source: SourceView): ContextWish {
  return source.type === 'recording' ? { type: 'closeRecording' } : { type: 'travelTo', at: 'now' };
}
