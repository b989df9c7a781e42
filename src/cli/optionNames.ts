/** What the editor's settings are called on the command line. */
const OPTION_OF: readonly (readonly [string, string])[] = [
  ['plimsoll.context.windowTokens', '--window'],
  ['plimsoll.context.maxReplyTokens', '--max-reply'],
  ['plimsoll.baseUrl', '--base-url'],
  ['plimsoll.model', '--model'],
];

/** Puts options in the place of settings: a message of the agent says what to change. */
export function inOptions(message: string): string {
  return OPTION_OF.reduce((text, [setting, option]) => text.replaceAll(setting, option), message);
}
