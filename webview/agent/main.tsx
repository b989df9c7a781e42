import { effect } from '@preact/signals';
import { render } from 'preact';
import type { AgentFact } from '../../src/protocol/agentView';
import { acquireApi, connectHost } from '../ui/hostLink';
import { registerToolkit } from '../ui/toolkit';
import '../ui/ui.css';
import './styles/approval.css';
import './styles/composer.css';
import './styles/frame.css';
import './styles/header.css';
import './styles/markdown.css';
import './styles/steps.css';
import './styles/turns.css';
import { AgentStore } from './agentStore';
import { AgentView } from './agentView';
import { savedDraft } from './savedDraft';

registerToolkit();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element "root".');

const api = acquireApi();
const store = new AgentStore({
  post: (post) => api.postMessage(post),
  // An answer that was on its way to the page before this one must not be taken for one to this page.
  firstNumber: Date.now(),
  beforeFrame: (task) => void requestAnimationFrame(task),
  draft: savedDraft(api.getState()),
});
connectHost<AgentFact>(store.handlers);
effect(() => api.setState({ draft: store.draft.value }));
render(<AgentView store={store} />, root);
store.wish({ type: 'announceReady' });
