import { validWith } from './inspecting';

/** An input budget of 1,000 tokens; a drawing of this many dots uses that many tokens. */
export const VALID = validWith({
  windowTokens: 1_001,
  maxReplyTokens: 1,
  safetyHeadroomTokens: 0,
  toolResultHeadroomTokens: 0,
  summariser: 'off',
});
