import * as vscode from 'vscode';
import { registerChatModel } from './chatModel';

/** The chat participant of package.json. */
const CHAT_PARTICIPANT = 'plimsoll.agent';

/** The command of the buttons below a question in the chat. */
export const ANSWER_IN_CHAT = 'plimsoll.answerInChat';

export interface ChatAnswers {
  readonly answer: vscode.ChatRequestHandler;
  /** Takes the arguments of a button. */
  answerQuestion(sessionId: unknown, toolUseId: unknown, approved: unknown): Promise<void>;
}

/**
 * Registers the participant if the editor has a chat; its code is loaded with the first request.
 */
export function registerChat(
  chat: () => Promise<ChatAnswers>,
  icon: vscode.Uri,
  run: (work: () => unknown) => void,
): readonly vscode.Disposable[] {
  if (!('chat' in vscode)) return [];
  const { chat: editorChat }: { readonly chat?: Partial<typeof vscode.chat> } = vscode;
  const participant = editorChat?.createChatParticipant?.(CHAT_PARTICIPANT, async (...request) =>
    (await chat()).answer(...request),
  );
  if (participant === undefined) return [];
  participant.iconPath = icon;
  return [
    ...registerChatModel(),
    participant,
    vscode.commands.registerCommand(ANSWER_IN_CHAT, (...given: readonly unknown[]) =>
      run(async () => (await chat()).answerQuestion(given[0], given[1], given[2])),
    ),
  ];
}
