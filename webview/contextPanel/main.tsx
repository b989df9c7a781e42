import { effect } from '@preact/signals';
import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import type { ContextFact } from '../../src/editor/contextPanel/state';
import { acquireApi, connectHost, frameTasks, keptState, stamped } from '../kit/hostLink';
import { registerToolkit } from '../kit/toolkit';
import '../kit/ui.css';
import { ContextPanel } from './contextPanel';
import { followTravel } from './frame/travel';
import { DEFAULT_LOOK, type KeptState, VERSION } from './store/keptState';
import { makePanelStore } from './store/panelStore';
import './styles/colours.css';
import './styles/panel.css';
import './styles/header.css';
import './styles/bar.css';
import './styles/cards.css';
import './styles/rules.css';
import './styles/timeline.css';
import './styles/blocks.css';
import './styles/ledger.css';
import './styles/review.css';
import './styles/side.css';
import './styles/files.css';
import './styles/life.css';
import './styles/request.css';
import './styles/whatIf.css';
import './styles/comparison.css';
import './styles/opening.css';

registerToolkit();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element #root to draw the Context panel in.');

const api = acquireApi();
const { look = DEFAULT_LOOK, unsent = {} } = keptState<KeptState>(VERSION, api.getState()) ?? {};
// Start above the numbers of an earlier page, whose late answers must not count for this one.
const store = makePanelStore((post) => api.postMessage(post), look, unsent, Date.now());
connectHost<ContextFact>(store.handlers, window, frameTasks());
effect(() => {
  const kept = { look: store.look.value, unsent: store.unsent.value };
  api.setState(stamped<KeptState>(VERSION, kept));
});
followTravel(store);
render(<ContextPanel store={store} />, root);
store.wish({ type: 'announceReady' });
