import { effect } from '@preact/signals';
import { render } from 'preact';
import type { AgentFact, AgentWish } from '../../src/protocol/agentView';
import { acquireApi, connectHost } from '../ui/hostLink';
import { registerToolkit } from '../ui/toolkit';
import '../ui/ui.css';
import './styles/conversation.css';
import './styles/dock.css';
import './styles/frame.css';
import './styles/markdown.css';
import { AgentStore, savedPrompt } from './agentStore';
import { AgentView } from './agentView';

registerToolkit();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element "root".');

const api = acquireApi();
const store = new AgentStore({
  post: (wish) => api.postMessage(wish),
  beforeFrame: (task) => void requestAnimationFrame(task),
  unsentPrompt: savedPrompt(api.getState()),
});
const host = connectHost<AgentFact, AgentWish>(api, store.handlers);
effect(() => api.setState({ unsentPrompt: store.unsentPrompt.value }));
render(<AgentView store={store} />, root);
host.post({ type: 'announceReady' });
