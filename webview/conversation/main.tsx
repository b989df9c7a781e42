import { effect } from '@preact/signals';
import { render } from 'preact';
import type { AgentFact } from '../../src/editor/conversation/state';
import { acquireApi, connectHost, keptState, stamped } from '../kit/hostLink';
import { registerToolkit } from '../kit/toolkit';
import '../kit/ui.css';
import './styles/code.css';
import './styles/conversation.css';
import './styles/dock.css';
import './styles/frame.css';
import './styles/markdown.css';
import { AgentViewStore } from './agentViewStore';
import { AgentView } from './agentView';

/** Raise this when the form of `Kept` changes. */
const VERSION = 1;

interface Kept {
  readonly unsentPrompt: string;
}

registerToolkit();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element "root".');

const api = acquireApi();
const store = new AgentViewStore({
  post: (post) => api.postMessage(post),
  // An answer to an earlier page must not look like an answer to this one.
  firstNumber: Date.now(),
  beforeFrame: (task) => void requestAnimationFrame(task),
  unsentPrompt: keptState<Kept>(VERSION, api.getState())?.unsentPrompt ?? '',
});
connectHost<AgentFact>(store.handlers);
effect(() => api.setState(stamped<Kept>(VERSION, { unsentPrompt: store.unsentPrompt.value })));
render(<AgentView store={store} />, root);
window.addEventListener('focus', () => store.wish({ type: 'tellFocus', isFocused: true }));
window.addEventListener('blur', () => store.wish({ type: 'tellFocus', isFocused: false }));
store.wish({ type: 'announceReady' });
