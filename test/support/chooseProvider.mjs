/**
 * Chooses who answers: the real API when the environment holds a key for it, else the offline demo, which the
 * sample's own workspace settings select.
 */
export function chooseProvider() {
  const live = Boolean(process.env.ANTHROPIC_API_KEY);
  return {
    live,
    settings: live ? { 'plimsoll.provider': 'anthropic' } : {},
    description: live
      ? 'the Anthropic API, with the key from ANTHROPIC_API_KEY; requests cost money'
      : 'offline demo: scripted, no AI (set ANTHROPIC_API_KEY to use the real API)',
  };
}
