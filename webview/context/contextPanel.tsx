import type { VNode } from 'preact';
import { BlockList } from './blockList';
import { Ledger } from './ledger';
import { Banner } from './banner';
import { PanelHeader } from './panelHeader';
import type { PanelStore } from './panelStore';
import { ScratchpadDialog } from './scratchpadDialog';
import { WindowFill } from './windowFill';

/** Draws the Context panel: how full the window is, of what, and what was done about it. */
export function ContextPanel({ store }: { readonly store: PanelStore }): VNode {
  const context = store.context.value;
  const refusal = store.refusal.value;
  const scratchpad = store.scratchpad.value;
  if (context === undefined) return <p class="waiting quiet">Waiting for the session…</p>;
  return (
    <main class="panel">
      <PanelHeader context={context} wish={store.wish} />
      {context.problem !== undefined && (
        <Banner
          kind="problem"
          message={context.problem}
          action={{ label: 'Settings', run: () => store.wish({ type: 'openSettings' }) }}
        />
      )}
      {refusal !== undefined && (
        <Banner
          kind="refusal"
          message={refusal}
          action={{ label: 'Dismiss', run: store.dismissRefusal }}
        />
      )}
      <WindowFill context={context} wish={store.wish} />
      <div class="columns">
        <BlockList blocks={context.blocks} wish={store.wish} />
        <Ledger context={context} wish={store.wish} />
      </div>
      {scratchpad !== undefined && (
        <ScratchpadDialog
          scratchpad={scratchpad}
          wish={store.wish}
          onClose={store.closeScratchpad}
        />
      )}
    </main>
  );
}
