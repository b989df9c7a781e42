import { ChatParticipant, type ChatParts } from './chat/chatParticipant';
import { CommandDesk } from './commands/commandDesk';
import type { Contributions } from './contributions';
import { hostCommands, type HostCommandParts } from './hostCommands';
import { HostFiles } from './checkpoints/hostFiles';
import * as notices from './notices';
import type { Views } from './views';

/** What answers when VS Code asks for something. */
interface ContributionPlace
  extends HostCommandParts, Pick<ChatParts, 'registry' | 'shown' | 'problem'> {
  readonly views: Views;
  readonly files: HostFiles;
  readonly commands: CommandDesk;
}

/** Gathers what VS Code may ask for. */
export function hostContributions(place: ContributionPlace): Contributions {
  const { views, files, commands, controller, registry, shown, answers, problem, host } = place;
  return {
    ...views.contributions,
    chat: new ChatParticipant({
      controller: () => controller,
      registry,
      shown,
      answers,
      problem,
      root: host.root,
      tell: notices.tell,
    }),
    documents: {
      ...views.contributions.documents,
      [HostFiles.scheme]: files,
      [CommandDesk.scheme]: commands,
    },
    commands: hostCommands(place),
  };
}
