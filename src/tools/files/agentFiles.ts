import { AGENT_FORMS, type AgentDescription, agentIn } from '../../agent/subAgents/agentFile';
import type { Workspace } from '../../agent/workspace';
import { visiblePath } from '../../contextWindow/visibleText';
import { filesBelow } from './filesBelow';

/** The sub-agents of a project, and what of their files is not used, as sentences. */
interface FoundAgents {
  readonly agents: readonly AgentDescription[];
  readonly problems: readonly string[];
}

/** Reads the files that describe sub-agents. Of two with one name the first counts. */
export async function findAgents(
  folder: Pick<Workspace, 'folders' | 'readFile'>,
  toolNames: readonly string[],
): Promise<FoundAgents> {
  const agents = new Map<string, AgentDescription>();
  const problems: string[] = [];
  for (const { suffix, ...form } of AGENT_FORMS) {
    const found = folder.folders
      .inEach(form.folder)
      .map((one) => filesBelow(folder.folders, { folder: one, suffix }));
    const paths = (await Promise.all(found)).flatMap((one) => one.paths);
    for (const path of paths) {
      const read = await folder.readFile(path);
      const found = read.ok
        ? agentIn(path, read.text, toolNames)
        : { problems: [`${visiblePath(path)} is not used as a sub-agent: ${read.message}`] };
      problems.push(...found.problems);
      if (!('agent' in found) || found.agent === undefined) continue;
      if (!agents.has(found.agent.name)) agents.set(found.agent.name, found.agent);
      else problems.push(`${visiblePath(path)} is not used: another file has its name.`);
    }
  }
  return { agents: [...agents.values()], problems };
}
