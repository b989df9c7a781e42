import { render } from 'preact';
import type { ContextFact, ContextWish } from '../../src/protocol/contextPanel';
import { acquireApi, connectHost } from '../ui/hostLink';
import { registerToolkit } from '../ui/toolkit';
import '../ui/ui.css';
import { ContextPanel } from './contextPanel';
import { makePanelStore } from './panelStore';
import './styles/colours.css';
import './styles/panel.css';
import './styles/bar.css';
import './styles/blocks.css';
import './styles/ledger.css';
import './styles/review.css';

registerToolkit();

const store = makePanelStore((wish) => link.post(wish));
const link = connectHost<ContextFact, ContextWish>(acquireApi(), store.handlers);

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element #root to draw the Context panel in.');
render(<ContextPanel store={store} />, root);

link.post({ type: 'announceReady' });
