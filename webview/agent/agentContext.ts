import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AgentStore } from './agentStore';

/** Hands the store to every view below. */
export const AgentContext = createContext<AgentStore | undefined>(undefined);

/** The store of the view this is part of. */
export function useAgent(): AgentStore {
  const store = useContext(AgentContext);
  if (store === undefined) throw new Error('This is not inside an AgentContext.');
  return store;
}
