import { validWith } from './inspecting';

/** An input budget of 1,000 tokens, which a drawing of so many dots fills by as much. */
export const VALID = validWith({
  windowTokens: 1_001,
  maxReplyTokens: 1,
  safetyHeadroomTokens: 0,
  toolResultHeadroomTokens: 0,
  summariser: 'off',
});
