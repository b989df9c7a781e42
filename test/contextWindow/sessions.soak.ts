import { describe } from 'vitest';
import { soakHalf } from '../support/soakSessions';

describe('every invariant holds over 10,000 random sessions of any policy, first half', () =>
  soakHalf(0));
